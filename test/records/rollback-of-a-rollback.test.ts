import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { countsOf, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** What was known of rows before a rollback is known again once that is taken back: nobody has been there. */

async function back(s: RowsStage, isOfRollback = false): Promise<Result> {
  const migration = s.world.migration(s.changes);
  const runs = (await migration.store.state.archives()).map(({ run }) => run);
  const which = isOfRollback ? { run: runs.at(-1) } : {};
  return rollbackRun(migration, { allowDelete: true, confirm: async () => true, ...which });
}

function edit({ source }: RowsStage, name: string): void {
  const record = recordOf(source, "A");
  if (record !== undefined) seed.editRecord(source, record, { name });
}

test.each(["changed", "made"] as const)(
  "the source's next word on a row that a run had %s is brought",
  async (what) => {
    const s = await rowsStage({ source: [{ code: "A", name: "a" }] });
    await s.apply();
    if (what === "changed") {
      edit(s, "b");
      await s.apply();
    }
    expect((await back(s)).exitCode).toBe(exitCodes.done);
    edit(s, "c");
    expect((await back(s, true)).exitCode).toBe(exitCodes.done);
    expect(s.published()).toMatchObject({ A: { name: what === "changed" ? "b" : "a" } });
    const result = await s.apply();
    expect(countsOf(result)).toMatchObject({ update: 1, conflict: 0 });
    expect(JSON.stringify(result.diagnostics)).not.toContain("first contact");
    expect(s.published()).toMatchObject({ A: { name: "c" } });
  },
);

test("a colleague's word behind it is drift", async () => {
  const s = await rowsStage({ source: [{ code: "A", name: "a" }] });
  await s.apply();
  edit(s, "b");
  await s.apply();
  await back(s);
  await back(s, true);
  const record = recordOf(s.target, "A");
  if (record !== undefined) seed.editRecord(s.target, record, { name: "theirs" });
  expect(countsOf(await s.apply())).toMatchObject({ drift: 1, update: 0 });
  expect(s.published()).toMatchObject({ A: { name: "theirs" } });
});
