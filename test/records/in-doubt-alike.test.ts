import { expect, test } from "vitest";
import { asText } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { planStatus } from "../../src/operations/status.ts";
import type { RowsStage } from "./support.ts";
import { countries, diesAt, rowsStage } from "./support.ts";

/** Rows in doubt, and what is left of them, are told by `status` and `resolve` as by the run that has left them. */

const statusOf = async (s: RowsStage): Promise<Result> => planStatus(s.world.migration(s.changes));
const resolved = async (s: RowsStage, decisions: Parameters<typeof resolveDoubts>[1]["decisions"] = []) =>
  resolveDoubts(s.world.migration(s.changes), { decisions });
const abandon = "ferry resolve test --abandon reference-data:Countries";

/** The answer to a create is lost, and a colleague has drafted a row of its key meanwhile. */
async function asked(draftFilter: "offered" | "absent"): Promise<RowsStage> {
  const s = await rowsStage({ source: countries(2) });
  s.prod.quirks.draftFilter = draftFilter;
  s.world.emulator.faults.add({
    match: { tenant: "prod", path: "/\\/draft\\/batch$/" },
    when: { times: 1 },
    effect: { type: "drop-before-commit" },
  });
  const off = s.world.emulator.on(({ phase, entry }) => {
    if (phase !== "answered" || !entry.path.endsWith("/draft/batch")) return;
    off();
    seed.draftRecord(s.prod, s.target, { code: "C0", name: "theirs" });
  });
  expect((await s.apply()).exitCode).toBe(exitCodes.inDoubt);
  return s;
}

test.each(["offered", "absent"] as const)(
  "a row that a person is asked about is in doubt for all of them, until it is forgotten (drafts: %s)",
  async (draftFilter) => {
    const s = await asked(draftFilter);
    for (const _time of [1, 2]) {
      expect(await statusOf(s)).toMatchObject({
        exitCode: exitCodes.inDoubt,
        headline: expect.stringMatching(/^A person has to decide: .*"Countries" has 1 row of a run in doubt/),
        next: ["ferry resolve test"],
      });
      const result = await resolved(s);
      expect([result.exitCode, result.headline]).toEqual([
        exitCodes.inDoubt,
        'No object is in doubt. Of rows: the table "Countries" has 1 row of a run in doubt.',
      ]);
      expect(result.diagnostics).toMatchObject([{ code: "row-in-doubt", severity: "error" }]);
      expect(result.diagnostics[0]?.summary).toMatch(
        /^the row C0: (?:a draft at the target has|it was looked)/,
      );
      expect(result.next).toEqual(["ferry apply test", abandon]);
      expect((await s.apply()).exitCode).toBe(exitCodes.inDoubt);
    }
    const forgotten = await resolved(s, [{ decision: "abandon", source: "reference-data:Countries" }]);
    expect([forgotten.exitCode, forgotten.headline]).toEqual([
      exitCodes.done,
      "What was open of rows of 1 table is forgotten; the next run looks at what is published.",
    ]);
    expect((await statusOf(s)).exitCode).toBe(exitCodes.done);
  },
);

test("one that no run looks at any more has no run to go on with", async () => {
  const s = await rowsStage({ source: [{ code: "DE ", name: "Germany" }] });
  const create = s.target.create.bind(s.target);
  s.target.create = (urn, order, { code, ...values }) =>
    create(urn, order, { ...values, code: asText(code).trim() });
  expect((await s.apply()).exitCode).toBe(exitCodes.inDoubt);
  expect(await statusOf(s)).toMatchObject({ exitCode: exitCodes.inDoubt, next: ["ferry resolve test"] });
  const result = await resolved(s);
  expect([result.exitCode, result.next]).toEqual([exitCodes.inDoubt, [abandon]]);
  expect(result.diagnostics[0]?.summary).toMatch(/^the row DE : the service has put it .* another key/);
});

test.each([
  ["its draft is somebody else's by now", /draft at the target since it was sent/],
  ["its review is gone", /whether it was approved or rejected cannot be told/],
] as const)("so is one where %s", async (how, reason) => {
  const isReview = how === "its review is gone";
  const s = await rowsStage({ source: countries(1), publish: isReview ? "review" : "direct" });
  if (isReview) await s.apply();
  else await diesAt("outcome:after", 1, async (hooks) => s.apply({}, { hooks }));
  const [review] = [...s.prod.referenceData.reviews.values()];
  if (review !== undefined) seed.decideReview(s.prod, review.urn, "reject");
  for (const record of isReview ? [] : s.target.open()) record.draft["name"] = "theirs";
  expect((await s.apply()).exitCode).toBe(exitCodes.inDoubt);
  expect(await statusOf(s)).toMatchObject({
    exitCode: exitCodes.inDoubt,
    headline: expect.stringContaining('the table "Countries" has 1 row'),
  });
  const result = await resolved(s);
  expect(result.exitCode).toBe(exitCodes.inDoubt);
  expect(result.diagnostics.map(({ summary }) => summary)).toEqual([expect.stringMatching(reason)]);
  expect((await s.apply()).exitCode).toBe(exitCodes.inDoubt);
});

test("one that a run has lost is gone on with by the next: that is told, and no person is asked", async () => {
  const s = await rowsStage({ source: countries(2) });
  await diesAt("send:after", 1, async (hooks) => s.apply({}, { hooks }));
  const result = await resolved(s);
  expect([result.exitCode, result.next]).toEqual([exitCodes.interrupted, ["ferry apply test"]]);
  expect(result.headline).toBe(
    'No object is in doubt. Of rows: the table "Countries" has 2 rows of a run in doubt.',
  );
  expect(result.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ["row-in-doubt", "warning"],
    ["row-in-doubt", "warning"],
  ]);
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(await resolved(s)).toMatchObject({ exitCode: exitCodes.done, headline: "Nothing is in doubt." });
});

test("deletions that wait for leave to delete are told with that: no run without it ends them", async () => {
  const s = await rowsStage({
    source: countries(1),
    target: [...countries(1), { code: "OWN" }, { code: "OTHER" }],
    remove: true,
  });
  await diesAt("outcome:after", 1, async (hooks) => s.apply({ allowDelete: true }, { hooks }));
  expect((await s.apply()).exitCode).toBe(exitCodes.partial);
  const leave = "2 rows of that are to be deleted: say --allow-delete for them.";
  for (const told of [await statusOf(s), await resolved(s)]) {
    expect(told.exitCode).toBe(exitCodes.interrupted);
    expect(told.headline).toContain(leave);
  }
  expect(Object.keys(s.published()).toSorted()).toEqual(["C0", "OTHER", "OWN"]);
  expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect([Object.keys(s.published()), (await statusOf(s)).exitCode]).toEqual([["C0"], exitCodes.done]);
});
