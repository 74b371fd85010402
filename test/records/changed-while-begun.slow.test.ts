import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { RowsStage } from "./support.ts";
import { countsOf, diesAt, recordOf, rowsStage } from "./support.ts";

/** The first run that meets a row is killed while it changes that, and somebody changes it before the next one: nothing else is known of it. */

const [row, before] = [
  { code: "DE", name: "ours" },
  { code: "DE", name: "before" },
];

type Point = readonly [point: "send:after" | "outcome:before" | "outcome:after", nth: number];

const points: Point[] = [
  ["send:after", 1],
  ["outcome:after", 1],
  ["outcome:before", 2],
];

async function killed([point, nth]: Point): Promise<RowsStage> {
  const stage = await rowsStage({ source: [row], target: [before] });
  expect(await diesAt(point, nth, async (hooks) => stage.apply({ verify: false }, { hooks }))).toBe(true);
  return stage;
}

function record({ target }: RowsStage): NonNullable<ReturnType<typeof recordOf>> {
  const found = recordOf(target, "DE");
  if (found === undefined) throw new Error("it is not there");
  return found;
}

test.each(points)("theirs is drift, and not written over (%s %d)", async (...at) => {
  const stage = await killed(at);
  seed.editRecord(stage.target, record(stage), { name: "theirs" });
  for (let run = 1; run <= 2; run += 1) {
    const result = await stage.apply();
    expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { drift: 1 }]);
    expect(stage.published()["DE"]).toMatchObject({ name: "theirs" });
  }
  seed.editRecord(stage.source, stage.source.records()[0] ?? record(stage), { name: "next" });
  expect(countsOf(await stage.apply())).toMatchObject({ conflict: 1 });
  expect(stage.published()["DE"]).toMatchObject({ name: "theirs" });
});

test("what an older run had brought, and the source says again, is brought by the one that goes on: nobody has taken it back", async () => {
  const stage = await rowsStage({ source: [row] });
  const [there] = stage.source.records();
  if (there === undefined) throw new Error("it is not there");
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  seed.editRecord(stage.source, there, { name: "between" });
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  seed.editRecord(stage.source, there, { name: "ours" });
  expect(await diesAt("intent:before", 1, async (hooks) => stage.apply({}, { hooks }))).toBe(true);
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(stage.published()["DE"]).toMatchObject({ name: "ours" });
});

test.each(points)("what they have removed is not made again (%s %d)", async (...at) => {
  const stage = await killed(at);
  seed.removeRecord(stage.target, record(stage));
  const result = await stage.apply();
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { drift: 1, create: 0 }]);
  expect(stage.published()).toEqual({});
});

test("theirs is no form of ours, also where the run that looked at it was killed, too", async () => {
  const stage = await rowsStage({ source: [row] });
  const dies = async (...[point, nth]: Point): Promise<void> => {
    const isDead = await diesAt(point, nth, async (hooks) => stage.apply({ verify: false }, { hooks }));
    expect(isDead).toBe(true);
  };
  await dies("outcome:before", 2);
  seed.editRecord(stage.target, record(stage), { name: "theirs" });
  await dies("outcome:after", 2);
  seed.editRecord(stage.source, stage.source.records()[0] ?? record(stage), { name: "next" });
  // The first of them writes what was compared then.
  await stage.apply();
  expect(countsOf(await stage.apply())).toMatchObject({ update: 0, conflict: 1 });
  expect(stage.published()["DE"]).toMatchObject({ name: "theirs" });
});

test.each([
  [["intent:after", 1], [["outcome:after", 3]]],
  [["send:after", 1], [["outcome:after", 3]]],
  [["outcome:after", 1], [["outcome:after", 3]]],
  [
    ["intent:after", 1],
    [
      ["outcome:before", 2],
      ["outcome:after", 3],
    ],
  ],
] as const)(
  "what they have made of another part of it stays theirs, whichever runs are killed (%j, then %j)",
  async (first, then) => {
    const stage = await rowsStage({ source: [{ code: "DE", name: "first", area: 1 }] });
    expect((await stage.apply()).exitCode).toBe(exitCodes.done);
    const dies = async ([point, nth]: readonly [EnginePoint, number]): Promise<void> =>
      expect(await diesAt(point, nth, async (hooks) => stage.apply({ verify: false }, { hooks }))).toBe(true);
    const there = stage.source.records()[0] ?? record(stage);
    seed.editRecord(stage.source, there, { name: "ours" });
    await dies(first);
    seed.editRecord(stage.target, record(stage), { ...record(stage).published, area: 77 });
    for (const point of then) await dies(point);
    expect((await stage.apply()).exitCode).toBe(exitCodes.partial);
    seed.editRecord(stage.source, there, { area: 5 });
    expect(countsOf(await stage.apply())).toMatchObject({ update: 0, conflict: 1 });
    expect(stage.published()["DE"]).toMatchObject({ name: "ours", area: 77 });
  },
);
