import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { columns, countsOf, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** A table is renamed, at one side or at both, and the plan follows: what is known of its rows is known still. */

function call(s: RowsStage, source: string, target: string, key: readonly string[] = ["code"]): void {
  Object.assign(s.source, { name: source });
  Object.assign(s.target, { name: target });
  const table = { table: source, targetTable: target, key: [...key], publish: "direct" as const };
  s.changes = { ...s.changes, records: { referenceData: [table], remove: false } };
}

/** A colleague has changed a row that a run has brought. */
async function touched(kept: "files" | "memory" = "memory"): Promise<RowsStage> {
  const s = await rowsStage({
    kept,
    source: [
      { code: "DE", name: "a" },
      { code: "FR", name: "b" },
    ],
  });
  await s.apply();
  const record = recordOf(s.target, "DE");
  if (record !== undefined) seed.editRecord(s.target, record, { name: "theirs" });
  return s;
}

test.each([
  ["Countries", "Lands"],
  ["Lands", "Countries"],
  ["Lands", "Lands"],
] as const)("a colleague's word on a row is drift still (%s to %s)", async (source, target) => {
  const s = await touched(source === target ? "files" : "memory");
  call(s, source, target);
  expect(countsOf(await s.diff())).toMatchObject({ drift: 1, unchanged: 1, update: 0 });
  for (let run = 0; run < 2; run += 1) {
    const result = await s.apply();
    expect([result.exitCode, countsOf(result)]).toMatchObject([
      exitCodes.partial,
      { drift: 1, unchanged: 1 },
    ]);
    expect(s.published()["DE"]?.["name"]).toBe("theirs");
  }
  // What the source alone has changed since is moved.
  const other = recordOf(s.source, "FR");
  if (other !== undefined) seed.editRecord(s.source, other, { name: "c" });
  await s.apply();
  expect(s.published()).toMatchObject({ DE: { name: "theirs" }, FR: { name: "c" } });
  expect(countsOf(await s.apply())).toMatchObject({ drift: 1, unchanged: 1 });
});

test("so it is where the run that brought the row was killed before it kept what it knew", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  const reached = (at: string): void => {
    if (at === "outcome:after" && s.target.open().length === 0) throw new Error("killed");
  };
  await expect(s.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
  const record = recordOf(s.target, "DE");
  if (record !== undefined) seed.editRecord(s.target, record, { name: "theirs" });
  call(s, "Countries", "Lands");
  for (let run = 0; run < 2; run += 1) {
    expect(countsOf(await s.apply())).toMatchObject({ drift: 1, update: 0 });
    expect(s.published()["DE"]?.["name"]).toBe("theirs");
  }
});

test("another table of the target is met for the first time, and so are rows under another key", async () => {
  const s = await touched();
  const other = seed.seedReferenceTable(s.prod, {
    name: "Lands",
    columns,
    rows: [{ code: "DE", name: "x" }],
  });
  const table = { table: "Countries", targetTable: "Lands", key: ["code"], publish: "direct" as const };
  s.changes = { ...s.changes, records: { referenceData: [table], remove: false } };
  expect(countsOf(await s.apply())).toMatchObject({ drift: 0, create: 1, update: 1 });
  expect(other.publishedCount).toBe(2);
  const again = await touched();
  call(again, "Countries", "Lands", ["code", "name"]);
  expect(countsOf(await again.diff())).toMatchObject({ drift: 0, create: 1, unchanged: 1 });
});
