import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { ColumnType } from "../../src/emulator/reference-data/table.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { author, codesAre, segment, stage } from "./masters-stage.ts";
import { diesAt, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** The key is of another type on both sides by the time that a run goes on with what an earlier one has left. */

const source: readonly JsonObject[] = [
  { code: "1", name: "a" },
  { code: "2", name: "b" },
];

async function begun(publish: "direct" | "review", isTold: boolean): Promise<RowsStage> {
  const at = await rowsStage({
    source,
    publish,
    columns: { code: "STRING", name: "STRING" },
    plan: { limits: { quietPeriodMs: 10, publishWaitMs: 200 } },
  });
  if (!isTold) for (const { quirks } of [at.dev, at.prod]) quirks.tableFields = "bare";
  if (publish === "review") await at.apply();
  else await diesAt("outcome:after", 1, async (hooks) => at.apply({ verify: false }, { hooks }));
  expect(at.target.open()).toHaveLength(2);
  return at;
}

/** As somebody does it in the web application; what is in drafts is turned as well. */
function keyIs(at: RowsStage, type: ColumnType, turn: (code: unknown) => string | number): void {
  for (const table of [at.source, at.target]) {
    Object.assign(table, {
      columns: table.columns.map((one) => (one.name === "code" ? { ...one, type } : one)),
    });
    for (const record of table.records()) {
      const turned = (values: JsonObject): JsonObject => ({ ...values, code: turn(values["code"]) });
      record.draft = turned(record.draft);
      if (record.published !== undefined) table.show(record, turned(record.published));
    }
  }
}

const codes = ({ target }: RowsStage): readonly unknown[] =>
  target.records().map(({ draft }) => draft["code"]);

const cases = (["direct", "review"] as const).flatMap((publish) =>
  [true, false].map((isTold) => [publish, isTold] as const),
);

test.each(cases)("rows that are open are not made a second time (%s, types told: %s)", async (...how) => {
  const at = await begun(...how);
  keyIs(at, "NUMBER", Number);
  const reason = expect.stringMatching(/such as [12], and a column of the key is of another type by now/);
  expect((await at.diff()).changes[0]).toMatchObject({ action: "blocked", reason });
  at.world.emulator.log.clear();
  const waiting = await at.apply();
  expect([waiting.exitCode, at.writes(), codes(at)]).toEqual([exitCodes.partial, 0, [1, 2]]);
  keyIs(at, "STRING", String);
  for (const urn of at.prod.referenceData.reviews.keys()) seed.decideReview(at.prod, urn, "approve");
  expect([(await at.apply()).exitCode, codes(at)]).toEqual([exitCodes.done, ["1", "2"]]);
});

test("what a person has published, and has forgotten, is met as it is", async () => {
  const at = await begun("direct", true);
  keyIs(at, "NUMBER", Number);
  await at.apply();
  at.prod.referenceData.publish(at.target, at.target.open(), "at-once");
  const decision = { decision: "abandon", source: "reference-data:Countries" } as const;
  await resolveDoubts(at.world.migration(at.changes), { decisions: [decision] });
  expect([(await at.apply()).exitCode, codes(at)]).toEqual([exitCodes.done, [1, 2]]);
});

test.each([
  ["NUMBER", "1", Number],
  ["DATETIME", "2020-01-01T00:00:00Z", String],
] as const)(
  "a rollback of what a run made under a key that is of type %s by now says so, and takes it back when it is text again",
  async (type, code, turn) => {
    const at = await rowsStage({
      source: [{ code, name: "a" }],
      columns: { code: "STRING", name: "STRING" },
    });
    await at.apply();
    keyIs(at, type, turn);
    const back = async (): Promise<Result> =>
      rollbackRun(at.world.migration(at.changes), { allowDelete: true, confirm: async () => true });
    const left = await back();
    expect(left.exitCode).toBe(exitCodes.partial);
    expect(JSON.stringify(left.changes)).toContain("a column of its key is of another type than when");
    keyIs(at, "STRING", String);
    expect([(await back()).exitCode, codes(at)]).toEqual([exitCodes.done, []]);
  },
);

test("so does one of masters", async () => {
  const here = await stage([segment]);
  author(here.dev, { cmo_code: "1", cmo_name: "a" });
  await here.apply();
  const [row] = here.prod.masters("segment")?.rows ?? [];
  if (row === undefined) throw new Error("it is not there");
  for (const data of [here.dev, here.prod]) codesAre(data, "INTEGER");
  books.writeMaster(here.prod, row, { cmo_code: 1 });
  const left = await here.back();
  expect([left.exitCode, here.prod.masters("segment")?.size]).toEqual([exitCodes.partial, 1]);
  for (const data of [here.dev, here.prod]) codesAre(data, "STRING");
  books.writeMaster(here.prod, row, { cmo_code: "1" });
  expect([(await here.back()).exitCode, here.prod.masters("segment")?.size]).toEqual([exitCodes.done, 0]);
});
