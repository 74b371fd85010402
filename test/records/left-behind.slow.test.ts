import { describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { planStatus } from "../../src/operations/status.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import type { PlanChanges } from "../support/world.ts";
import type { RowsStage } from "./support.ts";
import { countries, cut, rowsStage } from "./support.ts";

/** A run is killed, and before the next one the plan says something else of its table. */
async function killed(): Promise<RowsStage> {
  const limits = { concurrency: 1, quietPeriodMs: 10 };
  const stage = await rowsStage({ source: countries(250), plan: { limits } });
  const columns = { code: "STRING", name: "STRING" } as const;
  seed.seedReferenceTable(stage.dev, { name: "Other", columns, rows: [{ code: "Q", name: "q" }] });
  seed.seedReferenceTable(stage.prod, { name: "Other", columns, rows: [] });
  await cut(stage, 1);
  expect(stage.target.open()).toHaveLength(100);
  return stage;
}

function naming(stage: RowsStage, names: { readonly table: string; readonly targetTable?: string }): void {
  const table = { ...names, key: ["code"], publish: "direct" as const };
  stage.changes = { ...stage.changes, records: { referenceData: [table], remove: false } };
}

const codesOf = ({ target }: RowsStage): readonly string[] =>
  target.records().map(({ published, draft }) => JSON.stringify((published ?? draft)["code"]));
const status = async (stage: RowsStage): Promise<Result> => planStatus(stage.world.migration(stage.changes));
const leftIn = ({ diagnostics }: Result): readonly (string | undefined)[] =>
  diagnostics.flatMap(({ code, suggestion }) => (code === "row-left-behind" ? [suggestion] : []));

describe("rows of a killed run that are open in the same table of the target, under another name in the plan", () => {
  test.each([
    ["the source's table was renamed", { table: "Countries (ISO)", targetTable: "Countries" }],
    ["both tables were renamed", { table: "Lands", targetTable: "Lands" }],
  ])("are not made a second time: %s", async (_what, names) => {
    const stage = await killed();
    Object.assign(stage.source, { name: names.table });
    Object.assign(stage.target, { name: names.targetTable });
    naming(stage, names);
    for (let run = 0; run < 2; run += 1) {
      const result = await stage.apply();
      expect(result.exitCode).toBe(exitCodes.partial);
      expect(result.changes[0]?.reason).toContain("its plan called the table otherwise");
      expect(result.headline).not.toContain("as it should be");
      expect(stage.target.open()).toHaveLength(100);
    }

    // As it was called then it goes on where it was.
    Object.assign(stage.source, { name: "Countries" });
    Object.assign(stage.target, { name: "Countries" });
    naming(stage, { table: "Countries" });
    expect((await stage.apply()).exitCode).toBe(exitCodes.done);
    expect(new Set(codesOf(stage)).size).toBe(250);
    expect(codesOf(stage)).toHaveLength(250);
  });

  test("are forgotten when a person has seen to them, by the name that is told", async () => {
    const stage = await killed();
    Object.assign(stage.source, { name: "Lands" });
    naming(stage, { table: "Lands", targetTable: "Countries" });
    const [told = ""] = leftIn(await stage.apply());
    const source = /--abandon (\S+)/.exec(told)?.[1] ?? "";
    expect(source).toBe("reference-data:countries");
    stage.prod.referenceData.publish(stage.target, stage.target.open(), "at-once");
    await resolveDoubts(stage.world.migration(stage.changes), {
      decisions: [{ decision: "abandon", source }],
    });
    const result = await stage.apply();
    expect([result.exitCode, leftIn(result)]).toEqual([exitCodes.done, []]);
    expect(new Set(codesOf(stage)).size).toBe(250);
    expect(codesOf(stage)).toHaveLength(250);
    expect((await status(stage)).exitCode).toBe(exitCodes.done);
  });
});

describe("rows of a killed run that no run of the plan goes on with", () => {
  const unselected: PlanChanges = { select: { kinds: ["terms"] } };
  test.each([
    ["the plan sends them to another table", { table: "Countries", targetTable: "Other" }, {}],
    ["the plan does not name the table", { table: "Other" }, {}],
    ["their kind is not selected", { table: "Countries" }, unselected],
  ])("are told, and the run has not done all: %s", async (_what, names, changes) => {
    const stage = await killed();
    naming(stage, names);
    stage.changes = { ...stage.changes, ...changes };
    expect(leftIn(await stage.diff())).toHaveLength(1);
    for (let run = 0; run < 2; run += 1) {
      const result = await stage.apply();
      expect([result.exitCode, leftIn(result).length]).toEqual([exitCodes.partial, 1]);
      expect(result.headline).not.toContain("as it should be");
    }
    expect(stage.target.open()).toHaveLength(100);
    expect((await verifyPlan(stage.world.migration(stage.changes))).exitCode).toBe(exitCodes.partial);
    const { exitCode, headline } = await status(stage);
    expect(exitCode).toBe(exitCodes.partial);
    expect(headline).toContain(changes === unselected ? "Select it" : "Put it back under records");

    // What is advised is true.
    stage.changes = { ...stage.changes, select: { kinds: ["reference-data"] } };
    naming(stage, { table: "Countries" });
    expect((await stage.apply()).exitCode).toBe(exitCodes.done);
    expect([(await status(stage)).exitCode, codesOf(stage).length]).toEqual([exitCodes.done, 250]);
  });
});

describe("rows that wait for a review in a table that no run of the plan goes on with", () => {
  test.each([
    ["the plan does not name the table", { table: "Other" }, {}],
    ["their kind is not selected", { table: "Countries" }, { select: { kinds: ["terms"] } }],
  ] as const)("are told, and the run has not done all: %s", async (_what, names, changes) => {
    const stage = await rowsStage({ source: countries(3), publish: "review" });
    const columns = { code: "STRING", name: "STRING" } as const;
    for (const tenant of [stage.dev, stage.prod])
      seed.seedReferenceTable(tenant, { name: "Other", columns, rows: [] });
    const asked = stage.changes;
    expect((await stage.apply()).exitCode).toBe(exitCodes.partial);
    // While the plan goes on with them they are told as what waits for a review.
    expect([leftIn(await stage.diff()), (await status(stage)).exitCode]).toEqual([[], exitCodes.done]);

    naming(stage, names);
    stage.changes = { ...stage.changes, ...changes };
    const diff = await stage.diff();
    expect(diff.diagnostics.filter(({ code }) => code === "row-left-behind")).toEqual([
      expect.objectContaining({
        summary: expect.stringMatching(
          /^of "Countries" 3 rows wait for 1 review: ".*" \(urn:.*\), and .*: nothing goes on with them$/,
        ),
      }),
    ]);
    const result = await stage.apply();
    expect([result.exitCode, leftIn(result).length]).toEqual([exitCodes.partial, 1]);
    expect((await verifyPlan(stage.world.migration(stage.changes))).exitCode).toBe(exitCodes.partial);
    const standing = await status(stage);
    expect(standing.exitCode).toBe(exitCodes.partial);
    expect(standing.headline).toContain("3 rows of a run in a review");

    // What is advised is true: the plan as it was goes on with them.
    stage.changes = asked;
    const again = await stage.diff();
    expect([leftIn(again), again.changes[0]?.records?.manual]).toEqual([[], 3]);
  });
});
