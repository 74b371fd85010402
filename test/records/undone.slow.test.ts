import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { RowLog } from "../../src/store/index.ts";
import { crmProd, party, put, stage as mastersStage } from "./masters-stage.ts";
import { countries, diesAt, recordOf, rowsStage } from "./support.ts";

/**
 * A run is killed with a part of its rows on record as done, and somebody takes one of them back before the next run. That goes on
 * with the rest: what it looks up is "as it was", and yet no row that is still to be written.
 */

/**
 * How far a run has come is marked once a second, and of what stands before a mark only the run after the next tells: where the clock
 * stands still no row comes to stand before one, however slow the machine is.
 */
function still(): () => number {
  const at = Date.now();
  return () => at;
}

/** Names of rows that the logs have as done. */
async function onRecord(logs: readonly RowLog[]): Promise<ReadonlySet<string>> {
  const names = new Map<string, string>();
  const done = new Set<string>();
  for (const log of logs)
    for await (const record of log.records()) {
      if (record.type === "rows") for (const { key, name } of record.rows) names.set(key, name);
      if (record.type !== "rows-done") continue;
      for (const { key, result } of record.rows) if (result === "done") done.add(names.get(key) ?? "");
    }
  return done;
}

test.each(["update", "create"] as const)(
  "reference data: the %s of a row that somebody took back is drift, and not sent again",
  async (what) => {
    const rows = 1_600;
    const stage = await rowsStage({
      source: countries(rows),
      target:
        what === "create" ? [] : Array.from({ length: rows }, (_, at) => ({ code: `C${at}`, name: "old" })),
      plan: { limits: { concurrency: 1, quietPeriodMs: 5 } },
    });
    const options = { verify: false };
    expect(
      await diesAt("outcome:after", 14, async (hooks) => stage.apply(options, { hooks, now: still() })),
    ).toBe(true);
    await stage.world.emulator.idle();
    const done = await onRecord(await stage.world.migration(stage.changes).store.state.rowLogs());
    const code = [...done].at(-1) ?? "none is on record";
    const there = recordOf(stage.target, code);
    if (there === undefined) throw new Error(`${code} is not there`);
    if (what === "update") seed.editRecord(stage.target, there, { name: "old" });
    else {
      seed.removeRecord(stage.target, there);
    }
    const theirs = what === "update" ? { code, name: "old" } : undefined;
    const { exitCode, headline } = await stage.apply();
    expect(headline).toContain("1,600 changes made");
    expect({ exitCode, is: stage.published()[code] }).toEqual({ exitCode: 4, is: theirs });
    const again = await stage.apply();
    expect({ exitCode: again.exitCode, is: stage.published()[code] }).toEqual({ exitCode: 4, is: theirs });
    expect(Object.keys(stage.published())).toHaveLength(what === "update" ? rows : rows - 1);
  },
);

test("instances: those that somebody set back are drift, after two runs that were killed", async () => {
  const at = await mastersStage([party]);
  at.plan = { ...at.plan, limits: { ...at.plan.limits, concurrency: 1, quietPeriodMs: 5 } };
  for (let number = 0; number < 300; number += 1) {
    put(at.dev, `P${number}`, { src_name: "new" });
    put(at.prod, `P${number}`, { src_name: "old" });
  }
  for (const nth of [2, 2]) {
    await diesAt("outcome:after", nth, async (hooks) => at.apply({ verify: false }, { hooks, now: still() }));
    await at.made.emulator.idle();
  }
  const done = await onRecord(await at.made.migration({}, { plan: at.plan }).store.state.rowLogs());
  const theirs = [...(at.prod.instances("party")?.rows ?? [])]
    .map(({ sourceId }) => sourceId)
    .filter((id) => done.has(`${crmProd} / ${id}`));
  expect(theirs.length).toBeGreaterThan(10);
  for (const id of theirs) put(at.prod, id, { src_name: "old" });
  expect(await at.apply()).toMatchObject({ exitCode: 4 });
  const said = theirs.map((id) => books.findInstance(at.prod, "party", crmProd, id)?.source["src_name"]);
  expect(new Set(said)).toEqual(new Set(["old"]));
  const drifted = await at.apply();
  expect(drifted).toMatchObject({ exitCode: 4 });
  expect(JSON.stringify(drifted.changes)).toMatch(/drift/);
});
