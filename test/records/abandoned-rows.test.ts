import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { StoreError } from "../../src/store/index.ts";
import { countsOf, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** What a killed run has brought to its end is its word, also where a person abandons what it has left open. */

class Killed extends Error {}

/** It dies when all rows of it are on record as done, and before it has kept what it knows of them. */
function atTheEnd(s: RowsStage): { reached(at: string): void } {
  return {
    reached(at) {
      if (at === "outcome:after" && s.target.open().length === 0) throw new Killed();
    },
  };
}

const abandonRows = async (s: RowsStage, source = "reference-data:Countries"): Promise<unknown> =>
  resolveDoubts(s.world.migration(s.changes), { decisions: [{ decision: "abandon", source }] });

function theirs(s: RowsStage): void {
  const record = recordOf(s.target, "DE");
  if (record !== undefined) seed.editRecord(s.target, record, { name: "theirs" });
}

test("a colleague's word on a row that it had made is drift, and not overwritten", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  await expect(s.apply({}, { hooks: atTheEnd(s) })).rejects.toThrow(Killed);
  await abandonRows(s);
  theirs(s);
  const result = await s.apply();
  expect(countsOf(result)).toMatchObject({ drift: 1, update: 0 });
  expect(s.published()["DE"]?.["name"]).toBe("theirs");
});

test("so it is where the plan did not name the table any more when it was abandoned", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  await expect(s.apply({}, { hooks: atTheEnd(s) })).rejects.toThrow(Killed);
  const { changes } = s;
  s.changes = { ...changes, records: { referenceData: [], remove: false } };
  await abandonRows(s, "reference-data:countries");
  s.changes = changes;
  theirs(s);
  expect(countsOf(await s.apply())).toMatchObject({ drift: 1, update: 0 });
});

test("a row that a killed rollback had taken back is the source's to bring again", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }], target: [{ code: "DE", name: "old" }] });
  await s.apply();
  const migration = s.world.migration(s.changes, { hooks: atTheEnd(s) });
  await expect(rollbackRun(migration, { confirm: async () => true })).rejects.toThrow(Killed);
  expect(s.published()["DE"]?.["name"]).toBe("old");
  await abandonRows(s);
  expect(countsOf(await s.diff())).toMatchObject({ drift: 0, update: 1 });
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(s.published()["DE"]?.["name"]).toBe("a");
});

test("what it had sent may still take effect, so that nothing is forgotten, and made once more, before that", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  const waits = 400;
  s.changes = { ...s.changes, limits: { ...s.changes.limits, quietPeriodMs: waits } };
  let isSent = false;
  const hooks = {
    reached(at: string) {
      isSent ||= at === "outcome:after";
      if (isSent) throw new Killed();
    },
  };
  await expect(s.apply({}, { hooks })).rejects.toThrow(Killed);
  // The service comes to what the run had asked for last.
  setTimeout(() => s.prod.referenceData.publish(s.target, s.target.open(), "at-once"), waits / 2);
  await abandonRows(s);
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(s.target.records()).toHaveLength(1);
  expect(Object.keys(s.published())).toEqual(["DE"]);
});

test("nothing is abandoned beside a decision that is refused", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  await expect(s.apply({}, { hooks: atTheEnd(s) })).rejects.toThrow(Killed);
  const decisions = ["reference-data:Countries", "urn:nobody:asked:about:this:one"].map(
    (source) => ({ decision: "abandon", source }) as const,
  );
  const open = async (): Promise<unknown> =>
    (await s.world.migration(s.changes).store.state.rowLogs()).map(({ isOpen }) => isOpen);
  await expect(resolveDoubts(s.world.migration(s.changes), { decisions })).rejects.toThrow("in doubt");
  expect(await open()).toEqual([true]);
});

test("where the disk is full after the first of two, that one is forgotten, and it is told that the other is not", async () => {
  const s = await rowsStage({ source: [{ code: "DE", name: "a" }] });
  await expect(s.apply({}, { hooks: atTheEnd(s) })).rejects.toThrow(Killed);
  const migration = s.world.migration(s.changes);
  const { state } = migration.store;
  const closeRowLog = state.closeRowLog.bind(state);
  let closed = 0;
  state.closeRowLog = async (...log) => {
    closed += 1;
    if (closed > 1) throw new StoreError("disk-full", "rows", "the disk is full", "Make room.");
    await closeRowLog(...log);
  };
  const sources = ["reference-data:Countries", "reference-data:countries"];
  const decisions = sources.map((source) => ({ decision: "abandon", source }) as const);
  expect(await resolveDoubts(migration, { decisions })).toMatchObject({
    exitCode: exitCodes.failed,
    headline: "Nothing is in doubt. 1 table of rows not forgotten.",
    diagnostics: [{ code: "disk-full" }],
  });
  expect((await state.rowLogs()).filter(({ isOpen }) => isOpen)).toEqual([]);
});
