import { join } from "node:path";
import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import type { RowsStage } from "./support.ts";
import { countries, rowsStage } from "./support.ts";

/** Rows that only the target has are to go, and the source has lost most of those that were moved: it may have been emptied. */

/** So many were moved, and so many of them are gone at the source since. */
async function emptied(moved: number, gone: number): Promise<RowsStage> {
  const stage = await rowsStage({ source: countries(moved), remove: true, kept: "files" });
  await stage.apply();
  for (const record of stage.source.records().slice(0, gone)) seed.removeRecord(stage.source, record);
  stage.world.emulator.log.clear();
  return stage;
}

test("nothing is deleted because a flag allows deletes: somebody has to say how many, or to approve them", async () => {
  for (const how of ["said", "approved"] as const) {
    const stage = await emptied(30, 20);
    await expect(stage.apply({ allowDelete: true })).rejects.toMatchObject({
      code: "too-many-deletes",
      message: expect.stringMatching(
        /^20 of 30 rows of "Countries" that were moved would be deleted, since they are gone at dev: is http/,
      ),
      suggestion: expect.stringContaining("--max-deletes 20, or approve"),
    });
    expect([stage.target.publishedCount, stage.writes()]).toEqual([30, 0]);
    const diff = join(stage.world.folder, "approved.json");
    await diffPlan(stage.world.migration(stage.changes), { out: diff });
    const leave = how === "said" ? { maxDeletes: 20 } : { diff };
    expect((await stage.apply({ allowDelete: true, ...leave })).exitCode).toBe(0);
    expect(stage.target.publishedCount).toBe(10);
  }
});

test.each([
  [30, 15],
  [12, 9],
])("of %i rows %i may go as ever", async (moved, gone) => {
  const stage = await emptied(moved, gone);
  expect((await stage.apply({ allowDelete: true })).exitCode).toBe(0);
  expect(stage.target.publishedCount).toBe(moved - gone);
});

test("what was never moved is told and counted, and may go as ever", async () => {
  const stage = await rowsStage({ source: countries(1), target: countries(30), remove: true });
  expect((await stage.apply({ allowDelete: true })).exitCode).toBe(0);
  expect(stage.target.publishedCount).toBe(1);
});
