import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { author, authored, crmProd, party, put, segment, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import type { RowsStage } from "./support.ts";
import { recordOf, rowsStage } from "./support.ts";

/** What somebody has removed at the target and made once more is theirs, whatever it says. */

const again = "somebody has removed it and made it again since";

async function back(s: RowsStage, run?: string): Promise<Result> {
  return rollbackRun(s.world.migration(s.changes), { run, allowDelete: true, confirm: async () => true });
}

function makeAgain({ prod, target }: RowsStage, code: string): void {
  const record = recordOf(target, code);
  if (record?.published === undefined) throw new Error(`there is no ${code}`);
  const values = record.published;
  seed.removeRecord(target, record);
  seed.seedRecord(prod, target, values);
}

describe("a rollback leaves what was made again", () => {
  test("a row that the run had made", async () => {
    const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
    await s.apply();
    makeAgain(s, "DE");
    const result = await back(s);
    expect([result.exitCode, JSON.stringify(result.changes)]).toEqual([
      exitCodes.partial,
      expect.stringContaining(again),
    ]);
    expect(s.published()).toEqual({ DE: { code: "DE", name: "a" } });
  });

  test("a row that the run had changed", async () => {
    const s = await rowsStage({ source: [{ code: "DE", name: "a" }], target: [{ code: "DE", name: "old" }] });
    await s.apply();
    makeAgain(s, "DE");
    expect((await back(s)).exitCode).toBe(exitCodes.partial);
    expect(s.published()).toEqual({ DE: { code: "DE", name: "a" } });
  });

  test("all of a table that another one of its name has taken the place of", async () => {
    const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
    await s.apply();
    s.prod.referenceData.tables.delete(s.target.urn);
    const { columns } = s.target;
    const theirs = seed.seedReferenceTable(s.prod, {
      name: "Countries",
      columns: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
      rows: [{ code: "DE", name: "a" }],
    });
    expect((await back(s)).exitCode).toBe(exitCodes.partial);
    expect(theirs.publishedCount).toBe(1);
  });

  test("a master", async () => {
    const here = await stage([segment]);
    author(here.dev, { cmo_code: "N", cmo_name: "n" });
    await here.apply();
    const [row] = here.prod.masters("segment")?.rows ?? [];
    if (row !== undefined) here.prod.masters("segment")?.delete(row);
    author(here.prod, { cmo_code: "N", cmo_name: "n" });
    expect((await here.back()).exitCode).toBe(exitCodes.partial);
    expect(Object.keys(authored(here.prod))).toEqual(["N"]);
  });
});

test("what a rollback has made again is taken back by that of the run that had made it first", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }], remove: true });
  const first = await s.apply();
  const record = recordOf(s.source, "DE");
  if (record !== undefined) seed.removeRecord(s.source, record);
  await s.apply({ allowDelete: true });
  expect(s.published()).toEqual({});
  expect((await back(s)).exitCode).toBe(exitCodes.done);
  expect(s.published()).toEqual({ DE: { code: "DE", name: "a" } });
  expect((await back(s, first.run)).exitCode).toBe(exitCodes.done);
  expect(s.published()).toEqual({});
});

describe("an instance that a run has removed, which leaves it there without counting", () => {
  function bookOf({ prod }: Stage): readonly [name: unknown, active: boolean] {
    const row = prod.byKey("party", crmProd, "X");
    if (row === undefined) throw new Error("there is no X");
    const { source, active } = books.instanceBook(prod, row);
    return [source["src_name"], active];
  }

  async function removed(activity: boolean): Promise<Stage> {
    const here = await stage([{ ...party, activity }], true);
    put(here.dev, "A", { src_name: "a" });
    put(here.prod, "X", { src_name: "x" });
    expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
    expect(bookOf(here)).toEqual(["x", false]);
    return here;
  }

  test.each([true, false])(
    "is left where somebody has written to it since (activity: %s)",
    async (activity) => {
      const here = await removed(activity);
      put(here.prod, "X", { src_name: "theirs" });
      expect((await here.back()).exitCode).toBe(exitCodes.partial);
      expect(bookOf(here)).toEqual(["theirs", false]);
    },
  );

  test.each([true, false])("is back as it was where nobody has (activity: %s)", async (activity) => {
    const here = await removed(activity);
    expect((await here.back()).exitCode).toBe(exitCodes.done);
    expect(bookOf(here)).toEqual(["x", true]);
  });

  test.each([true, false])(
    "and so where a later run has made it again, and was taken back (activity: %s)",
    async (activity) => {
      const here = await removed(activity);
      const [first] = await here.made.migration({}, { plan: here.plan }).store.state.rowLogs();
      put(here.dev, "X", { src_name: "new" });
      expect((await here.apply()).exitCode).toBe(exitCodes.done);
      expect(bookOf(here)).toEqual(["new", true]);
      expect((await here.back()).exitCode).toBe(exitCodes.done);
      expect((await here.back(true, first?.run)).exitCode).toBe(exitCodes.done);
      expect(bookOf(here)).toEqual(["x", true]);
    },
  );
});
