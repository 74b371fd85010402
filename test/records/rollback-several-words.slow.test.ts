import { expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { allOr } from "../support/whole.ts";
import { crmProd, party, put, stage as recordsStage } from "./masters-stage.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { diesAt, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/**
 * A killed run has begun to write a row, the source has changed it since, and the run that goes on brings the first word to its end and
 * then writes the second one: both are taken back at once.
 */

type Point = Parameters<typeof diesAt>[0];

/** X is at the target alone, and where such rows are to go all is compared anew by whoever goes on. */
async function moved(draftFilter: RowsStage["prod"]["quirks"]["draftFilter"] = "absent"): Promise<RowsStage> {
  const s = await rowsStage({
    source: [{ code: "A", name: "a", area: 1 }],
    target: [{ code: "X", name: "x", area: 5 }],
    remove: true,
  });
  s.prod.quirks.draftFilter = draftFilter;
  await s.apply();
  return s;
}

function edit({ source }: RowsStage, code: string, values: JsonObject): void {
  const record = recordOf(source, code);
  if (record === undefined) throw new Error(`there is no ${code}`);
  seed.editRecord(source, record, values);
}

async function dies(s: RowsStage, point: Point, allowDelete = false): Promise<void> {
  expect(await diesAt(point, 1, async (hooks) => s.apply({ allowDelete }, { hooks }))).toBe(true);
}

const back = async (s: RowsStage): Promise<Result> =>
  rollbackRun(s.world.migration(s.changes), { allowDelete: true, confirm: async () => true });

async function expectBack(s: RowsStage, wanted: object): Promise<void> {
  expect(await back(s)).toMatchObject({
    exitCode: exitCodes.done,
    headline: expect.stringContaining(", 0 left"),
  });
  expect([s.published(), s.target.open()]).toEqual([wanted, []]);
  const before = s.writes();
  expect((await back(s)).exitCode).toBe(exitCodes.done);
  expect(s.writes()).toBe(before);
}

const x = { code: "X", name: "x", area: 5 };
const a = { code: "A", name: "a", area: 1 };

test.each(
  allOr(
    (["absent", "offered"] as const).flatMap((drafts) =>
      (["intent:after", "send:after", "outcome:before", "outcome:after"] as const).map(
        (point) => [drafts, point] as const,
      ),
    ),
    ([, point]) => point === "send:after",
  ),
)("two changes (drafts %s, killed at %s)", async (drafts, point) => {
  for (const second of [{ name: "third" }, { area: 3 }, { name: "third", area: 3 }]) {
    const s = await moved(drafts);
    edit(s, "A", { name: "second" });
    await dies(s, point);
    edit(s, "A", second);
    expect((await s.apply()).exitCode).toBe(exitCodes.done);
    expect(s.published()["A"]).toEqual({ ...a, name: "second", ...second });
    await expectBack(s, { X: x, A: a });
    // What is known is what was known before: the source's word comes again, and nobody has drifted.
    expect(await s.apply()).toMatchObject({ exitCode: exitCodes.done, summary: { update: 1, conflict: 0 } });
  }
});

test.each(["two changes", "what was made, and changed"])(
  "%s, where the killed run was another plan's: both words are in one log",
  async (what) => {
    const s = await moved();
    const another = (): ReturnType<typeof s.world.migration> =>
      s.world.migration(s.changes, { plan: { ...s.world.plan(s.changes), name: "another" } });
    const isMade = what !== "two changes";
    if (isMade) seed.seedRecord(s.dev, s.source, { code: "B", name: "b" });
    else edit(s, "A", { name: "second" });
    await dies(s, "send:after");
    edit(s, isMade ? "B" : "A", { name: "third" });
    expect((await applyPlan(another(), { confirm: async () => true })).exitCode).toBe(exitCodes.done);
    const result = await rollbackRun(another(), { allowDelete: true, confirm: async () => true });
    expect(result).toMatchObject({
      exitCode: 0,
      headline: expect.stringContaining("1 object taken back, 0 left"),
    });
    expect([s.published(), s.target.open()]).toEqual([{ X: x, A: a }, []]);
    // What is known is what was known before.
    const wanted = isMade ? { create: 1, update: 0 } : { create: 0, update: 1 };
    expect(await s.apply()).toMatchObject({ exitCode: exitCodes.done, summary: { ...wanted, conflict: 0 } });
  },
);

test("what was made, and changed", async () => {
  const s = await moved();
  seed.seedRecord(s.dev, s.source, { code: "B", name: "b", area: 2 });
  await dies(s, "send:after");
  edit(s, "B", { name: "second", area: null });
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(s.published()["B"]).toEqual({ code: "B", name: "second" });
  await expectBack(s, { X: x, A: a });
});

test("what was changed, and removed", async () => {
  const s = await moved();
  edit(s, "A", { name: "second", area: null });
  await dies(s, "send:after");
  const record = recordOf(s.source, "A");
  if (record !== undefined) seed.removeRecord(s.source, record);
  expect((await s.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(s.published()).toEqual({});
  await expectBack(s, { X: x, A: a });
});

test("what was removed, and made again", async () => {
  const s = await moved();
  const reached = (at: string): void => {
    if (at === "outcome:after" && s.published()["X"] === undefined) throw new Error("killed");
  };
  await expect(s.apply({ allowDelete: true }, { hooks: { reached } })).rejects.toThrow("killed");
  seed.seedRecord(s.dev, s.source, { code: "X", name: "again" });
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(s.published()["X"]).toEqual({ code: "X", name: "again" });
  await expectBack(s, { X: x, A: a });
});

test("what a colleague has written between the two is what comes back", async () => {
  const s = await moved();
  edit(s, "A", { name: "second", area: 2 });
  const reached = (at: string): void => {
    if (at === "outcome:after" && s.published()["A"]?.["name"] === "second") throw new Error("killed");
  };
  await expect(s.apply({}, { hooks: { reached } })).rejects.toThrow("killed");
  const theirs = recordOf(s.target, "A");
  if (theirs !== undefined) seed.editRecord(s.target, theirs, { name: "theirs" });
  edit(s, "A", { name: "third", area: 3 });
  s.changes = { ...s.changes, policy: { conflict: "source-wins" } };
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  expect(s.published()["A"]).toEqual({ code: "A", name: "third", area: 3 });
  await expectBack(s, { X: x, A: { code: "A", name: "theirs", area: 1 } });
});

test("of an instance as well", async () => {
  const s = await recordsStage([party], true);
  put(s.prod, "X", { src_name: "x" });
  put(s.dev, "A", { src_name: "a" });
  await s.apply();
  put(s.dev, "A", { src_name: "second" });
  expect(await diesAt("intent:after", 1, async (hooks) => s.apply({}, { hooks }))).toBe(true);
  put(s.dev, "A", { src_name: "third" });
  expect((await s.apply()).exitCode).toBe(exitCodes.done);
  const name = (): unknown => books.findInstance(s.prod, "party", crmProd, "A")?.source["src_name"];
  expect(name()).toBe("third");
  expect([(await s.back()).exitCode, name()]).toEqual([exitCodes.done, "a"]);
});

test.each([-3_600_000, 0])(
  "also where the clock is set back between the two, or stands (%d ms)",
  async (ms) => {
    const s = await moved();
    edit(s, "A", { name: "first" });
    const time = Date.now() + 1_000;
    const first = await diesAt("outcome:after", 2, async (hooks) =>
      s.apply({ verify: false }, { hooks, now: () => time }),
    );
    expect([first, s.published()["A"]?.["name"]]).toEqual([true, "first"]);
    edit(s, "A", { name: "second" });
    expect((await s.apply({}, { now: () => time + ms })).exitCode).toBe(exitCodes.done);
    expect(s.published()["A"]?.["name"]).toBe("second");
    // Nothing was known of a drift either.
    expect((await s.diff()).summary).toMatchObject({ drift: 0, conflict: 0 });
    await expectBack(s, { A: a, X: x });
  },
);
