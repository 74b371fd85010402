import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { previewRollback, rollbackRun } from "../../src/operations/rollback.ts";
import { planStatus } from "../../src/operations/status.ts";
import type { Result } from "../../src/model/result.ts";
import { countries, recordOf, rows, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

const before = [
  { code: "FR", name: "Frankreich", area: 1 },
  { code: "XX", name: "gone at the source" },
];

async function moved(): Promise<RowsStage> {
  const stage = await rowsStage({ target: before, remove: true });
  expect((await stage.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(Object.keys(stage.published()).sort()).toEqual(["CH", "DE", "FR"]);
  return stage;
}

async function back(stage: RowsStage, allowDelete = true): Promise<Result> {
  return rollbackRun(stage.world.migration(stage.changes), { allowDelete, confirm: async () => true });
}

test("a rollback takes back what a run created, changed and deleted, row by row", async () => {
  const stage = await moved();
  const looked = await previewRollback(stage.world.migration(stage.changes));
  expect(looked.summary).toMatchObject({ create: 1, update: 1, delete: 2 });
  const result = await back(stage);
  expect(result.exitCode).toBe(exitCodes.done);
  expect(result.details).toMatchObject({ run: { rowsOf: ["Countries"] } });
  expect(stage.published()).toEqual(Object.fromEntries(before.map((row) => [row.code, row])));
  // The source's word is news again, not drift.
  expect((await stage.diff()).summary).toMatchObject({ create: 2, update: 1, delete: 1, drift: 0 });
});

test("what the run created stays without the flag, and is told", async () => {
  const stage = await moved();
  const result = await back(stage, false);
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(Object.keys(stage.published()).sort()).toEqual(["CH", "DE", "FR", "XX"]);
  expect(stage.published()["FR"]).toEqual(before[0]);
});

test("what somebody has touched since is left and named", async () => {
  const stage = await moved();
  for (const code of ["FR", "DE"]) {
    const record = recordOf(stage.target, code);
    if (record !== undefined) seed.editRecord(stage.target, record, { name: "touched" });
  }
  const result = await back(stage);
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes[0]?.diagnostics.map(({ summary }) => summary).sort()).toEqual([
    "the row DE: somebody has changed it since",
    "the row FR: somebody has changed it since",
  ]);
  expect(stage.published()).toMatchObject({
    FR: { name: "touched" },
    DE: { name: "touched" },
    XX: before[1],
  });
});

test("what somebody has put back by hand to what it was before the run is known as it was then", async () => {
  const stage = await rowsStage({ source: [{ code: "DE", name: "old" }] });
  await stage.apply();
  const edit = (table: RowsStage["target"], name: string): void => {
    const record = recordOf(table, "DE");
    if (record === undefined) throw new Error("there is no DE");
    seed.editRecord(table, record, { name });
  };
  edit(stage.source, "new");
  expect((await stage.apply()).summary).toMatchObject({ update: 1 });
  edit(stage.target, "old");
  const writes = stage.writes();
  expect((await back(stage)).exitCode).toBe(exitCodes.done);
  expect(stage.writes()).toBe(writes);
  // The source's word is news again, not a colleague's drift.
  expect((await stage.diff()).summary).toMatchObject({ update: 1, drift: 0, conflict: 0 });
});

test("a rollback that is taken back makes it as it was after the run", async () => {
  const stage = await moved();
  const { run } = await back(stage);
  await rollbackRun(stage.world.migration(stage.changes), {
    run,
    allowDelete: true,
    confirm: async () => true,
  });
  expect(stage.published()).toMatchObject(Object.fromEntries(rows.map((row) => [row["code"], row])));
});

test("rows that could not be taken back stop the rollback, which says why and can be made again", async () => {
  const stage = await rowsStage({ source: countries(5) });
  await stage.apply();
  const { faults } = stage.world.emulator;
  faults.add({
    match: { tenant: "prod", method: "DELETE" },
    when: { skip: 4 },
    effect: { type: "status", code: 403 },
  });
  const stopped = await back(stage);
  expect(stopped.exitCode).toBe(exitCodes.permission);
  expect(stopped.headline).toMatch(/0 objects taken back, 5 left\. Stopped: /);
  expect(stopped.next?.[0]).toMatch(/^ferry rollback .* --allow-delete$/);
  faults.clear();
  // Deletions that were sent stand in the draft, and the look at the draft of the one that was not taken has opened that: all are told.
  expect((await stage.diff()).summary).toMatchObject({ blocked: 5, unchanged: 0 });
  expect((await back(stage)).exitCode).toBe(exitCodes.done);
  expect(stage.published()).toEqual({});
});

test("nothing is taken back while rows are open", async () => {
  const stage = await rowsStage({ publish: "review" });
  await stage.apply();
  await expect(back(stage)).rejects.toThrow(/has left rows of "Countries" open/);
  const { details } = await planStatus(stage.world.migration(stage.changes));
  expect(details.tables).toEqual([expect.objectContaining({ table: "Countries", waiting: 3, inDoubt: 0 })]);
});

test("deletions that a rollback of rows holds back are told, with the command that makes them", async () => {
  const stage = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  await stage.apply();
  const back = await rollbackRun(stage.world.migration(stage.changes), { confirm: async () => true });
  expect(back.exitCode).toBe(exitCodes.partial);
  expect(back.headline).toContain("1 delete withheld: it needs --allow-delete");
  expect(back.next?.some((command) => command.includes("--allow-delete"))).toBe(true);
});
