import { describe, expect, test } from "vitest";
import type { FaultRule } from "../../src/emulator/index.ts";
import { approve } from "../../src/emulator/reference-data/reviews.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import { front, through } from "../support/front.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { renderText } from "../../src/report/index.ts";
import { diesAt, losses, rowsStage, untilDone } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** A plan that approves its reviews itself, and what comes of it where the approval is refused, or has no answer. */

const approvals = { tenant: "prod", method: "POST", path: "/\\/approve$/" } as const;

function whatThereIs(s: RowsStage): unknown {
  return [
    Object.keys(s.published()).sort(),
    s.target.records().length,
    s.target.open().length,
    [...s.prod.referenceData.reviews.values()].filter(({ records }) => records.size > 0).length,
  ];
}
const all = [["CH", "DE", "FR"], 3, 0, 0];

test.each([400, 403, 404, 409])(
  "a review whose approval is refused (%i) is the one that its rows are in, and is approved by a later run",
  async (code) => {
    const s = await rowsStage({ publish: "approve" });
    const { faults } = s.world.emulator;
    faults.add({ match: approvals, when: { times: 2 }, effect: { type: "status", code } });
    expect((await s.apply()).exitCode).toBe(code === 403 ? exitCodes.permission : exitCodes.partial);
    expect(s.prod.referenceData.reviews.size).toBe(1);
    // The run that goes on is refused, too: it says so, by name, and does the rest of what it has to do.
    const { exitCode, diagnostics } = await s.apply();
    expect(exitCode).toBe(exitCodes.partial);
    const told = diagnostics.filter(({ code: what }) => what === "row-refused").map(({ summary }) => summary);
    expect(told).toHaveLength(3);
    for (const line of told) expect(line).toContain("which could not be approved");
    expect(await untilDone(async () => s.apply())).toEqual([exitCodes.done]);
    expect(whatThereIs(s)).toEqual(all);
  },
);

test("a review that is gone once its approval had no answer was approved by that", async () => {
  const s = await rowsStage({ publish: "approve" });
  s.prod.quirks.decidedReview = "404";
  const { faults } = s.world.emulator;
  faults.add({ match: approvals, when: { times: 1 }, effect: { type: "drop-after-commit" } });
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(whatThereIs(s)).toEqual(all);
});

test("of a review that a person has approved in part it is said how much: it waits for the rest, and all of it is published then", async () => {
  const s = await rowsStage({ publish: "review" });
  await s.apply();
  const [review] = s.prod.referenceData.reviews.values();
  if (review === undefined) throw new Error("no review");
  const [last] = [...review.records];
  approve(s.prod, review, (record) => record !== last);
  const { exitCode, diagnostics } = await s.apply();
  expect(exitCode).toBe(exitCodes.partial);
  expect(diagnostics.map(({ summary }) => summary)).toEqual([
    expect.stringMatching(/^3 rows wait for the review .*, 2 of them approved and 1 still to be$/),
  ]);
  expect(s.published()).toEqual({});
  approve(s.prod, review, () => true);
  // No list shows the table, since nothing of it differs: what the headline counts is named all the same.
  const ended = await s.apply();
  expect(ended).toMatchObject({
    exitCode: exitCodes.done,
    headline: expect.stringMatching(/^3 changes made\./),
  });
  expect(ended.diagnostics.map(({ code, summary }) => [code, summary])).toEqual([
    ["row-finished", "3 rows that an earlier run had begun were brought to their end"],
  ]);
  expect(renderText(ended, { color: false, width: 120 })).toContain('reference-data "');
  expect(whatThereIs(s)).toEqual(all);
});

function draftsOf({ target }: RowsStage): readonly string[] {
  return target
    .open()
    .map(({ state }) => state)
    .toSorted();
}

test("what is in a review that nobody can name waits for a person, and counts as refused by nobody", async () => {
  const s = await rowsStage({ publish: "approve" });
  s.world.emulator.faults.add({
    match: { tenant: "prod", method: "POST", path: "/\\/request-review$/" },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  const result = await s.apply();
  expect(result).toMatchObject({ exitCode: exitCodes.partial, summary: { failed: 0 } });
  expect(result.diagnostics.map(({ summary }) => summary)).toEqual([
    expect.stringMatching(/^3 rows wait for the review .*the answer that named it was lost/),
  ]);
  expect(s.published()).toEqual({});
});

describe("deletions, which no review takes", () => {
  const asks = { tenant: "prod", method: "POST", path: "/\\/request-review$/" } as const;
  const takenBack = async (s: RowsStage, hooks?: { reached(at: string): void }): Promise<Result> =>
    rollbackRun(s.world.migration(s.changes, { hooks }), { allowDelete: true, confirm: async () => true });
  const none = [[], 0, 0, 0];

  test.each(losses)(
    "are published where the answer to the request for their review was lost %s",
    async (_where, effect) => {
      const s = await rowsStage({ publish: "approve" });
      await s.apply();
      s.world.emulator.faults.add({ match: asks, when: { times: 1 }, effect });
      expect((await takenBack(s)).exitCode).toBe(exitCodes.done);
      expect(whatThereIs(s)).toEqual(none);
    },
  );

  test("are published where the service refuses a review of nothing", async () => {
    const s = await rowsStage({ publish: "approve" });
    s.prod.quirks.emptyReview = "refused";
    await s.apply();
    expect((await takenBack(s)).exitCode).toBe(exitCodes.done);
    expect(whatThereIs(s)).toEqual(none);
  });

  test("are published by the next run where one that had asked for their review was killed", async () => {
    const s = await rowsStage({ publish: "approve" });
    await s.apply();
    expect(await diesAt("outcome:after", 1, async (hooks) => takenBack(s, hooks))).toBe(true);
    expect((await takenBack(s)).exitCode).toBe(exitCodes.done);
    expect(whatThereIs(s)).toEqual(none);
  });

  test.each(["empty", "refused"] as const)(
    "that an interrupted run has left are published by nobody's leave where the plan wants a person's by now (a review of nothing is %s)",
    async (emptyReview) => {
      const s = await rowsStage({ publish: "direct", remove: true });
      s.prod.quirks.emptyReview = emptyReview;
      await s.apply();
      const [first] = s.source.records();
      if (first !== undefined) seed.removeRecord(s.source, first);
      const deleting = async (hooks?: { reached(at: string): void }): Promise<Result> =>
        s.apply({ allowDelete: true }, { hooks });
      expect(await diesAt("outcome:after", 1, deleting)).toBe(true);
      wantsReview(s);
      const result = await deleting();
      expect(result.exitCode).toBe(exitCodes.partial);
      expect(JSON.stringify(result.diagnostics) + JSON.stringify(result.changes)).toContain(
        "a review takes no deletion",
      );
      expect(Object.keys(s.published())).toHaveLength(3);
    },
  );

  test("are not published with what a person has approved beside them", async () => {
    const s = await rowsStage({ publish: "direct", remove: true });
    await s.apply();
    const [first, second] = s.source.records();
    if (first !== undefined) seed.removeRecord(s.source, first);
    if (second !== undefined) seed.editRecord(s.source, second, { name: "otherwise" });
    const changing = async (hooks?: { reached(at: string): void }): Promise<Result> =>
      s.apply({ allowDelete: true, verify: false }, { hooks });
    // Both are in the draft, and stay there.
    const match = { tenant: "prod", method: "POST", path: "/\\/draft\\/publish$/" } as const;
    s.world.emulator.faults.add({ match, effect: { type: "status", code: 422 } });
    await changing();
    expect(draftsOf(s)).toEqual(["CHANGED", "DELETED"]);
    s.world.emulator.faults.clear();
    wantsReview(s);
    await changing();
    expect(draftsOf(s)).toEqual(["DELETED", "REVIEW"]);
    for (const review of s.prod.referenceData.reviews.values()) approve(s.prod, review, () => true);
    expect((await changing()).exitCode).toBe(exitCodes.partial);
    expect(Object.keys(s.published())).toHaveLength(3);
    expect(s.published()["FR"]).toMatchObject({ name: "otherwise" });
  });

  test("wait for nobody beside changes whose review cannot be named", async () => {
    const s = await rowsStage({ publish: "approve", remove: true });
    await s.apply();
    const [first, second] = s.source.records();
    if (first !== undefined) seed.removeRecord(s.source, first);
    if (second !== undefined) seed.editRecord(s.source, second, { name: "otherwise" });
    s.world.emulator.faults.add({ match: asks, when: { times: 1 }, effect: { type: "garbage" } });
    const result = await s.apply({ allowDelete: true });
    // The change is in a review that nobody could name; the deletion is in none.
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(Object.keys(s.published())).toHaveLength(2);
    expect(s.target.open().map(({ state }) => state)).toEqual(["REVIEW"]);
  });
});

/** A gateway stands before the target, and does not find some of its addresses. */
async function behindGateway(
  publish: "review" | "approve",
): Promise<{ s: RowsStage; apply: () => Promise<Result>; lose: (rule: FaultRule) => void }> {
  const s = await rowsStage({ publish });
  const { emulator } = s.world;
  const answer = (body: string): string => (body.includes("GATEWAY_ERROR") ? "<h1>Not Found</h1>" : body);
  const { url } = await front(emulator.baseUrl("prod"), { answer });
  const more = through(s.world, s.changes, { target: url });
  return { s, apply: async () => s.apply({}, more), lose: (rule) => void emulator.faults.add(rule) };
}

test("a review that a gateway does not find is not gone, and a later run brings it to its end", async () => {
  const { s, apply, lose } = await behindGateway("review");
  expect((await apply()).exitCode).toBe(exitCodes.partial);
  lose({
    match: { tenant: "prod", path: "/\\/reviews\\/[^/]+\\/records$/" },
    when: { times: 1 },
    effect: { type: "status", code: 404 },
  });
  await expect(apply()).rejects.toThrow("the answer is not the service's own");
  for (const urn of s.prod.referenceData.reviews.keys()) seed.decideReview(s.prod, urn, "approve");
  expect(await untilDone(apply)).toEqual([exitCodes.done]);
  expect(whatThereIs(s)).toEqual(all);
});

test("an approval without an answer that a gateway then does not find was not heard by that", async () => {
  const { s, apply, lose } = await behindGateway("approve");
  lose({ match: approvals, when: { times: 1 }, effect: { type: "drop-before-commit" } });
  lose({ match: approvals, when: { times: 1 }, effect: { type: "status", code: 404 } });
  const { exitCode, diagnostics } = await apply();
  expect(exitCode).toBe(exitCodes.partial);
  expect(diagnostics.map(({ summary }) => summary).join("\n")).toContain("which could not be approved");
  expect(await untilDone(apply)).toEqual([exitCodes.done]);
  expect(whatThereIs(s)).toEqual(all);
});

/** The plan has another word by now. */
function wantsReview(s: RowsStage): void {
  const { records = {} } = s.changes;
  const tables = records.referenceData?.map((table) => ({ ...table, publish: "review" as const })) ?? [];
  s.changes = { ...s.changes, records: { ...records, referenceData: tables } };
}
