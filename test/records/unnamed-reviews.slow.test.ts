import { describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** Rows whose review nobody can name, since the answer that named it was lost: what a person makes of it, and what the next runs do. */

const asking = { tenant: "prod", method: "POST", path: "/\\/request-review$/" } as const;

async function left(
  offered: "absent" | "offered",
  old?: string,
  times = 1,
  emptyReview: "empty" | "refused" = "empty",
): Promise<RowsStage> {
  const s = await rowsStage({
    source: [{ code: "FR", name: "new" }],
    target: old === undefined ? [] : [{ code: "FR", name: old }],
    publish: "review",
  });
  s.prod.quirks.draftFilter = offered;
  s.prod.quirks.emptyReview = emptyReview;
  const effect = { type: "status", code: 504, commit: true } as const;
  s.world.emulator.faults.add({ match: asking, when: { times }, effect });
  expect((await s.apply()).exitCode).not.toBe(exitCodes.done);
  return s;
}

function decided({ prod }: RowsStage, how: "approve" | "reject"): void {
  for (const urn of prod.referenceData.reviews.keys()) seed.decideReview(prod, urn, how);
}

async function reviewsAskedFor(s: RowsStage): Promise<number> {
  const { entries } = s.world.emulator.log;
  const before = entries.length;
  await s.apply();
  return entries.slice(before).filter(({ path }) => path.endsWith("/request-review")).length;
}

test.each([
  ["absent", undefined, 1],
  ["absent", undefined, 2],
  ["absent", "old", 1],
  ["offered", undefined, 1],
  ["offered", "old", 1],
] as const)(
  "one is asked for once more, and not each night (drafts %s, there before: %s, answers lost: %i)",
  async (offered, old, times) => {
    const s = await left(offered, old, times);
    expect(await reviewsAskedFor(s)).toBeLessThanOrEqual(1);
    expect([await reviewsAskedFor(s), await reviewsAskedFor(s)]).toEqual([0, 0]);
    const { exitCode, changes, diagnostics } = await s.apply();
    expect(exitCode).not.toBe(exitCodes.done);
    expect(JSON.stringify([changes, diagnostics])).toMatch(/nobody can name|under review/);
  },
);

test.each(["absent", "offered"] as const)(
  "what a person has decided is in the draft again, and is put up for review under a name (drafts %s)",
  async (offered) => {
    const s = await left(offered);
    await s.apply();
    decided(s, "reject");
    expect(await reviewsAskedFor(s)).toBe(1);
    decided(s, "approve");
    expect((await s.apply()).exitCode).toBe(exitCodes.done);
    expect(s.published()).toEqual({ FR: expect.objectContaining({ name: "new" }) });
    expect(s.target.records()).toHaveLength(1);
  },
);

describe.each([
  ["absent", 1],
  ["absent", 2],
  ["offered", 1],
  ["offered", 2],
] as const)(
  "where the service refuses a review of nothing (drafts %s, answers lost: %i)",
  (offered, times) => {
    test("a person is sent to the review that nobody can name", async () => {
      const s = await left(offered, undefined, times, "refused");
      await s.apply();
      const { exitCode, changes, diagnostics } = await s.apply();
      expect(exitCode).toBe(exitCodes.inDoubt);
      expect(JSON.stringify([changes, diagnostics])).toContain("nobody can name");
      expect(JSON.stringify([changes, diagnostics])).not.toContain("could not be released");
      expect(await reviewsAskedFor(s)).toBe(0);
    });

    test("what that one held, and somebody has discarded, is asked about, and made again once it is forgotten", async () => {
      const s = await left(offered, undefined, times, "refused");
      await s.apply();
      decided(s, "reject");
      for (const record of s.target.open()) seed.removeRecord(s.target, record);
      expect((await s.apply()).exitCode).toBe(exitCodes.inDoubt);
      const decision = { decision: "abandon", source: "reference-data:Countries" } as const;
      await resolveDoubts(s.world.migration(s.changes), { decisions: [decision] });
      await s.apply();
      decided(s, "approve");
      expect((await s.apply()).exitCode).toBe(exitCodes.done);
      expect(s.published()).toEqual({ FR: expect.objectContaining({ name: "new" }) });
    });

    test("what a person has approved in it is put up for review under a name", async () => {
      const s = await left(offered, undefined, times, "refused");
      await s.apply();
      decided(s, "approve");
      expect(await reviewsAskedFor(s)).toBe(1);
      decided(s, "approve");
      expect((await s.apply()).exitCode).toBe(exitCodes.done);
      expect(s.target.records()).toHaveLength(1);
    });
  },
);

test("a review that is refused for another reason is not taken for one that nobody can name", async () => {
  const s = await rowsStage({ source: [{ code: "FR", name: "new" }], publish: "review" });
  const { faults } = s.world.emulator;
  faults.add({ match: asking, when: { times: 1 }, effect: { type: "status", code: 504 } });
  faults.add({ match: asking, effect: { type: "status", code: 422 } });
  await s.apply();
  const { exitCode, diagnostics } = await s.apply();
  expect(exitCode).toBe(exitCodes.partial);
  expect(JSON.stringify(diagnostics)).toContain("could not be released");
  faults.clear();
  await s.apply();
  decided(s, "approve");
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(s.target.records()).toHaveLength(1);
});

test.each(["absent", "offered"] as const)(
  "a change that a person has rejected, and whose draft is discarded, is drafted again and put up for review (drafts %s)",
  async (offered) => {
    const s = await left(offered, "old");
    await s.apply();
    decided(s, "reject");
    for (const record of s.target.open()) seed.editRecord(s.target, record, { name: "old" });
    expect(await reviewsAskedFor(s)).toBe(1);
    expect(s.target.open().map(({ state }) => state)).toEqual(["REVIEW"]);
    decided(s, "approve");
    expect((await s.apply()).exitCode).toBe(exitCodes.done);
    expect(s.published()).toEqual({ FR: expect.objectContaining({ name: "new" }) });
  },
);

test.each(["absent", "offered"] as const)(
  "what a person has approved and published is done (drafts %s)",
  async (offered) => {
    const s = await left(offered, "old");
    await s.apply();
    decided(s, "approve");
    s.prod.referenceData.publish(s.target, s.target.open(), "at-once");
    expect((await s.apply()).exitCode).toBe(exitCodes.done);
    expect(s.target.records()).toHaveLength(1);
  },
);

test("a review that is gone once it was approved, and what it held published, is nothing that nobody can tell", async () => {
  const s = await rowsStage({ source: [{ code: "FR", name: "new" }], publish: "review" });
  s.prod.quirks.decidedReview = "404";
  await s.apply();
  decided(s, "approve");
  s.prod.referenceData.reviews.clear();
  expect((await s.apply()).exitCode).toBe(exitCodes.inDoubt);
  s.prod.referenceData.publish(s.target, s.target.open(), "at-once");
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
});
