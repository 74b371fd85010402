import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { Lease, Store } from "../../src/store/index.ts";
import { rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

async function held(stage: RowsStage, work: (store: Store, lease: Lease) => Promise<void>): Promise<void> {
  const { store } = stage.world.migration(stage.changes);
  const since = "2026-01-05T00:00:00.000Z";
  const taken = await store.state.lock({ owner: "test", host: "here", pid: 1, run: "r", since });
  if (!taken.ok) throw new Error("the target is held");
  await work(store, taken.lease);
  await taken.lease.release();
}

test("what runs did to rows is kept for fifty of them; that older ones go is said", async () => {
  const stage = await rowsStage();
  await held(stage, async ({ state }, lease) => {
    for (let run = 10; run < 65; run += 1) {
      const name = `2020-01-01T00-00-${run}-000Z-aaaaaa`;
      await (await state.openRowLog(lease, "countries", name)).close();
      await state.closeRowLog(lease, "countries", name);
    }
  });
  const result = await stage.apply({ verify: false });
  const { state } = stage.world.migration(stage.changes).store;
  const kept = (await state.rowLogs()).filter(({ isDropped }) => isDropped === undefined);
  expect([result.exitCode, kept.length, kept.at(-1)?.run]).toEqual([exitCodes.done, 50, result.run]);
  expect(result.diagnostics.map(({ summary }) => summary)).toContain(
    "what 6 runs did to its rows is kept no more, up to the run 2020-01-01T00-00-15-000Z-aaaaaa: a rollback cannot take these rows back. The last 50 runs that wrote it are kept, up to 4 GB",
  );
});

test("a rollback of a run whose log is gone says so, and leaves its rows", async () => {
  const stage = await rowsStage();
  const { run } = await stage.apply({ verify: false });
  await held(stage, async ({ state }, lease) => {
    await (await state.openRowLog(lease, "countries", "9999")).close();
    await state.closeRowLog(lease, "countries", "9999");
    expect(await state.dropRowLogs(lease, "countries", { runs: 1, bytes: 0 })).toEqual([run]);
  });
  const confirm = async (): Promise<boolean> => true;
  const result = await rollbackRun(stage.world.migration(stage.changes), { run, allowDelete: true, confirm });
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes.flatMap(({ diagnostics }) => diagnostics.map(({ summary }) => summary))).toEqual([
    `the row (every one of the run ${run}): what it did to rows is kept no more: they stay as they are`,
  ]);
  expect(Object.keys(stage.published())).toHaveLength(3);
});

test("so does one where the logs are not: git ignores them, and another machine has none", async () => {
  const stage = await rowsStage({ kept: "files" });
  const { run } = await stage.apply();
  rmSync(stage.world.places(stage.changes).rows, { recursive: true });
  const migration = stage.world.migration(stage.changes);
  const result = await rollbackRun(migration, { allowDelete: true, confirm: async () => true });
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes.flatMap(({ diagnostics }) => diagnostics.map(({ summary }) => summary))).toEqual([
    `the row (every one of the run ${run}): what it did to rows is not known here, where no log of it is: they stay as they are`,
  ]);
});

test("a log that was being dropped when the process died is dropped by the next run", async () => {
  const stage = await rowsStage({ kept: "files" });
  const { run = "" } = await stage.apply({ verify: false });
  await held(stage, async ({ state }, lease) => {
    await (await state.openRowLog(lease, "countries", "9999")).close();
    await state.closeRowLog(lease, "countries", "9999");
    const logs = (): readonly string[] =>
      readdirSync(stage.world.folder, { recursive: true, encoding: "utf8" }).filter((path) =>
        path.includes(run),
      );
    const log = logs().find((path) => path.endsWith(`countries.${run}.ndjson`)) ?? "";
    writeFileSync(join(stage.world.folder, log.replace(/ndjson$/, "dropped.ndjson")), "");
    expect(await state.dropRowLogs(lease, "countries", { runs: 1, bytes: 0 })).toEqual([run]);
    expect(logs().filter((path) => path.includes(`countries.${run}`))).toHaveLength(1);
  });
});
