import { expect, test } from "vitest";
import type { TableStanding } from "../../src/operations/records/standing.ts";
import { planStatus } from "../../src/operations/status.ts";
import type { RowsStage } from "./support.ts";
import { countries, cut, rowsStage } from "./support.ts";

const all = countries(1_500);

async function standing(stage: RowsStage): Promise<TableStanding | undefined> {
  const { details } = await planStatus(stage.world.migration(stage.changes));
  return details.tables[0];
}

/** A clock that goes on by itself, for rates. */
function ticking(ms: number): () => number {
  let now = Date.UTC(2026, 0, 5);
  return () => (now += ms);
}

test("status tells the rows that were written, and after a run with nothing to write that there was nothing", async () => {
  const stage = await rowsStage({ source: all });
  expect(await standing(stage)).toBeUndefined();
  await stage.apply();
  expect(await standing(stage)).toMatchObject({ state: "done", compared: 1_500, done: 1_500, total: 1_500 });
  await stage.apply();
  const again = await standing(stage);
  expect(again).toMatchObject({ state: "done", compared: 1_500, done: 0, total: 0 });
  expect(again).not.toHaveProperty("secondsLeft");
});

test("a dry run is no run that is at work", async () => {
  const stage = await rowsStage({ source: all });
  await stage.diff();
  expect(await standing(stage)).toBeUndefined();
});

test("while rows are compared and written, status tells how many, how quickly, and what is left", async () => {
  const stage = await rowsStage({ source: all, plan: { limits: { concurrency: 1 } } });
  const asked: Promise<TableStanding | undefined>[] = [];
  let writes = 0;
  const off = stage.world.emulator.on(({ phase, entry }) => {
    if (phase !== "received") return;
    const isPage = entry.tenant === "dev" && entry.path.endsWith("published/filter");
    if (isPage || (entry.path.endsWith("/draft/batch") && (writes += 1) > 12)) asked.push(standing(stage));
  });
  await stage.apply({ verify: false }, { now: ticking(500) });
  off();
  const told = (await Promise.all(asked)).filter((one) => one !== undefined);
  const comparing = told.filter(({ state }) => state === "comparing");
  const writing = told.filter(({ state }) => state === "writing");
  expect(comparing.at(-1)?.compared).toBeGreaterThan(500);
  expect(comparing.at(-1)?.perSecond).toBeGreaterThan(0);
  const last = writing.at(-1);
  expect(last?.total).toBe(1_500);
  expect(last?.done).toBeGreaterThanOrEqual(1_000);
  expect(last?.perSecond).toBeGreaterThan(0);
  expect(last?.secondsLeft).toBeGreaterThan(0);
});

test("what an interrupted run has left is not told as done, and whoever goes on begins there", async () => {
  const stage = await rowsStage({ source: all, plan: { limits: { concurrency: 1 } } });
  await cut(stage, 13);
  const left = await standing(stage);
  expect(left).toMatchObject({ state: "writing", total: 1_500 });
  expect(left?.done).toBeLessThan(1_500);
  await stage.apply({ verify: false });
  expect(await standing(stage)).toMatchObject({ state: "done", done: 1_500, total: 1_500, inDoubt: 0 });
});
