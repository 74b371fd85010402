import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { RowsStage } from "./support.ts";
import { countsOf, diesAt, rowsStage } from "./support.ts";

/** A colleague has published a second row of the key of one that a killed run was at: nobody says which of them is meant. */

const key = { code: "DE" };

async function killed(
  point: "intent:after" | "send:after" | "outcome:before" | "outcome:after",
  nth: number,
  target: Parameters<typeof rowsStage>[0],
  drafts: "absent" | "offered",
): Promise<RowsStage> {
  const stage = await rowsStage({
    source: [{ ...key, name: "ours" }],
    plan: { limits: { quietPeriodMs: 10, publishWaitMs: 100 } },
    ...target,
  });
  stage.prod.quirks.draftFilter = drafts;
  expect(await diesAt(point, nth, async (hooks) => stage.apply({}, { hooks }))).toBe(true);
  return stage;
}

const shown = ({ target }: RowsStage): readonly unknown[] =>
  target.records().flatMap(({ published }) => (published === undefined ? [] : [published["name"]]));

const back = (stage: RowsStage) =>
  rollbackRun(stage.world.migration(stage.changes), { allowDelete: true, confirm: async () => true });

test.each(["absent", "offered"] as const)(
  "beside one that it had made and published, with nothing on record (drafts: %s): that is told, and none of the two is written or deleted",
  async (drafts) => {
    const stage = await killed("outcome:before", 2, {}, drafts);
    expect(shown(stage)).toEqual(["ours"]);
    seed.seedRecord(stage.prod, stage.target, { ...key, name: "ours" });
    const first = await stage.apply();
    expect(first.exitCode).toBe(exitCodes.partial);
    expect(JSON.stringify(first)).not.toContain("a part of it is there");
    const next = await stage.apply();
    expect([next.exitCode, countsOf(next)]).toMatchObject([exitCodes.partial, { blocked: 1, failed: 0 }]);
    const taken = await back(stage);
    expect(JSON.stringify(taken.changes)).toContain("its key occurs several times at the target by now");
    expect(shown(stage)).toEqual(["ours", "ours"]);
  },
);

test.each([
  ["intent:after", 1, "absent"],
  ["outcome:after", 1, "absent"],
  ["outcome:before", 2, "absent"],
  ["send:after", 1, "offered"],
  ["outcome:before", 2, "offered"],
] as const)(
  "beside one that it was to change (killed at %s, %i, drafts: %s): neither is written, and a rollback leaves both",
  async (point, nth, drafts) => {
    const stage = await killed(point, nth, { target: [{ ...key, name: "old" }] }, drafts);
    seed.seedRecord(stage.prod, stage.target, { ...key, name: "old" });
    const before = shown(stage);
    for (let run = 1; run <= 2; run += 1) {
      const result = await stage.apply();
      expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { blocked: 1, done: 0 }]);
    }
    await back(stage);
    expect(shown(stage)).toEqual(before);
  },
);

test("where both are published while the answer to its creation is looked for, it is said that there are two", async () => {
  const stage = await rowsStage({
    source: [{ ...key, name: "ours" }],
    plan: { limits: { quietPeriodMs: 10, publishWaitMs: 100 } },
  });
  const { emulator } = stage.world;
  emulator.faults.add({
    match: { tenant: "prod", method: "POST", path: "/draft/batch$/" },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  const stop = emulator.on(({ phase, entry }) => {
    if (phase !== "answered" || !entry.path.endsWith("/draft/batch")) return;
    stop();
    seed.seedRecord(stage.prod, stage.target, { ...key, name: "ours" });
    for (const record of stage.target.records()) seed.editRecord(stage.target, record, {});
  });
  const result = await stage.apply();
  expect(result.exitCode).toBe(exitCodes.inDoubt);
  expect(JSON.stringify(result.diagnostics)).toContain("2 rows at the target have its key by now");
  expect(shown(stage)).toEqual(["ours", "ours"]);
});
