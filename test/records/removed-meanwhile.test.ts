import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { countsOf, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** A colleague removes a row at the target while a change of it waits to be published. */

function editAtSource({ source }: RowsStage, values: Parameters<typeof seed.editRecord>[2]): void {
  const record = recordOf(source, "DE");
  if (record !== undefined) seed.editRecord(source, record, values);
}

function remove({ target }: RowsStage): void {
  const [record] = target.records();
  if (record === undefined) return;
  seed.removeRecord(target, record);
}

async function approved(): Promise<RowsStage> {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }], publish: "review" });
  const approve = (): void => {
    for (const urn of s.prod.referenceData.reviews.keys()) seed.decideReview(s.prod, urn, "approve");
  };
  await s.apply();
  // Read by whoever approves it.
  expect([...s.prod.referenceData.reviews.values()].map(({ description }) => description)).toEqual([
    expect.stringMatching(/^1 record of /),
  ]);
  approve();
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  editAtSource(s, { name: "b" });
  await s.apply();
  approve();
  return s;
}

test("its change is in a review that was approved: it is told as removed, and nothing is published", async () => {
  const s = await approved();
  remove(s);
  const publications = (): number =>
    s.world.emulator.log.entries.filter(({ path }) => path.endsWith("/draft/publish")).length;
  const before = publications();
  for (const _run of [1, 2]) {
    const result = await s.apply();
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(countsOf(result)).toMatchObject({ drift: 1 });
  }
  expect(publications()).toBe(before);
});

test("it is made again where the plan says so", async () => {
  const s = await approved();
  remove(s);
  s.changes = { ...s.changes, policy: { missingTarget: "recreate" } };
  await s.apply();
  for (const urn of s.prod.referenceData.reviews.keys()) seed.decideReview(s.prod, urn, "approve");
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(s.published()).toEqual({ DE: { code: "DE", name: "b" } });
});

test("a killed run has put a value where there was none: it is told as removed, too", async () => {
  const s = await rowsStage({ source: [{ code: "DE" }] });
  await s.apply();
  editAtSource(s, { name: "b" });
  const reached = (at: string): void => {
    if (at === "outcome:after") throw new Error("killed");
  };
  await expect(s.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
  remove(s);
  for (const _run of [1, 2]) expect(countsOf(await s.apply())).toMatchObject({ drift: 1 });
});

test.each(["direct", "review"] as const)(
  "a new row that a killed run has sent (%s), and that is gone before anybody looks, is asked about and not waited for",
  async (publish) => {
    const s = await rowsStage({ source: [{ code: "DE", name: "a" }], publish });
    if (publish === "review") {
      await s.apply();
      for (const urn of s.prod.referenceData.reviews.keys()) seed.decideReview(s.prod, urn, "approve");
    } else {
      const reached = (at: string): void => {
        if (at === "outcome:after") throw new Error("killed");
      };
      await expect(s.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
    }
    remove(s);
    for (const _run of [1, 2]) expect((await s.apply()).exitCode).toBe(exitCodes.inDoubt);
    const decisions = [{ decision: "abandon", source: "reference-data:Countries" }] as const;
    await resolveDoubts(s.world.migration(s.changes), { decisions });
    await s.apply();
    for (const urn of s.prod.referenceData.reviews.keys()) seed.decideReview(s.prod, urn, "approve");
    expect((await s.apply()).exitCode).toBe(exitCodes.done);
    expect(s.published()).toEqual({ DE: { code: "DE", name: "a" } });
  },
);
