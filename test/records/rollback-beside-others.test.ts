import { expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** What a colleague has put where a run had removed, made or changed a row is theirs: a rollback leaves it, and says so. */

const back = async (s: RowsStage): Promise<Result> =>
  rollbackRun(s.world.migration(s.changes), { allowDelete: true, confirm: async () => true });

const told = ({ changes }: Result): readonly string[] =>
  changes.flatMap(({ diagnostics }) => diagnostics.map(({ summary }) => summary)).sort();

/** All that the target shows: of rows of one key each. */
const shown = ({ target }: RowsStage): readonly JsonObject[] =>
  target.records().flatMap(({ published }) => (published === undefined ? [] : [published]));

/** The run removes XX, makes DE and changes FR. */
async function moved(): Promise<RowsStage> {
  const s = await rowsStage({
    source: [
      { code: "DE", name: "Germany" },
      { code: "FR", name: "France" },
    ],
    target: [
      { code: "FR", name: "Frankreich" },
      { code: "XX", name: "gone", area: 1 },
    ],
    remove: true,
  });
  expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  return s;
}

test("a row that the run had removed, and somebody has made again in other words", async () => {
  const s = await moved();
  seed.seedRecord(s.prod, s.target, { code: "XX", name: "theirs" });
  const result = await back(s);
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(told(result)).toEqual(["the row XX: somebody has made it again since"]);
  expect(s.published()).toEqual({
    FR: { code: "FR", name: "Frankreich" },
    XX: { code: "XX", name: "theirs" },
  });
});

test("one that somebody has made again in the same words is there again", async () => {
  const s = await moved();
  seed.seedRecord(s.prod, s.target, { code: "XX", name: "gone", area: 1 });
  expect((await back(s)).exitCode).toBe(exitCodes.done);
  expect(shown(s).filter(({ code }) => code === "XX")).toEqual([{ code: "XX", name: "gone", area: 1 }]);
});

test.each([
  ["DE", "made"],
  ["FR", "changed"],
  ["XX", "removed"],
])("of two rows of the key of one (%s) that the run had %s nobody says which it is", async (code) => {
  const s = await moved();
  for (const name of code === "XX" ? ["one", "two"] : ["theirs"])
    seed.seedRecord(s.prod, s.target, { code, name });
  const theirs = shown(s).filter((row) => row["code"] === code);
  expect(theirs).toHaveLength(2);
  const result = await back(s);
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(told(result)).toEqual([`the row ${code}: its key occurs several times at the target by now`]);
  expect(shown(s).filter((row) => row["code"] === code)).toEqual(theirs);
});
