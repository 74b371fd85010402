import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { author, authored, segment, stage as mastersStage } from "./masters-stage.ts";
import type { RowsStage } from "./support.ts";
import { diesAt, rowsStage } from "./support.ts";

/** A rollback is killed, and the plan tells rows apart otherwise by the next one: that would not find what the first has left. */

const back = (stage: RowsStage, hooks?: { reached(at: string): void }) =>
  rollbackRun(stage.world.migration(stage.changes, hooks === undefined ? {} : { hooks }), {
    allowDelete: true,
    confirm: async () => true,
  });

const keyed = (stage: RowsStage, key: string): RowsStage["changes"] => ({
  ...stage.changes,
  records: { referenceData: [{ table: "Countries", key: [key], publish: "direct" }], remove: true },
});

function standing({ target }: RowsStage): readonly (readonly [unknown, string])[] {
  return target.records().map(({ published, draft, state }) => [(published ?? draft)["code"], state]);
}

test.each(
  (["intent:after", "send:after", "outcome:after"] as const).flatMap((point) =>
    [1, 2].map((nth) => [point, nth] as const),
  ),
)("the table waits until the key is put back, and nothing is sent (%s %d)", async (point, nth) => {
  const stage = await rowsStage({
    source: [{ code: "A", name: "a" }],
    target: [{ code: "X", name: "x" }],
    remove: true,
  });
  expect((await stage.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(await diesAt(point, nth, async (hooks) => back(stage, hooks))).toBe(true);
  const before = standing(stage);
  stage.changes = keyed(stage, "name");
  stage.world.emulator.log.clear();
  await expect(back(stage)).rejects.toThrow(
    /^rows that the run \S+ has begun are open, such as [AX], and its plan told rows apart otherwise \(by key and origin\) than this one: .*; nothing was taken back$/,
  );
  expect([stage.writes(), standing(stage)]).toEqual([0, before]);
  stage.changes = keyed(stage, "code");
  expect((await back(stage)).exitCode).toBe(exitCodes.done);
  expect(standing(stage)).toEqual([["X", "UNCHANGED"]]);
});

test("so does one of master data", async () => {
  const here = await mastersStage([segment], true);
  author(here.dev, { cmo_code: "A", cmo_name: "a" });
  author(here.prod, { cmo_code: "X", cmo_name: "x" });
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  const dies = diesAt("intent:after", 1, async (hooks) =>
    rollbackRun(here.made.migration({}, { plan: here.plan, hooks }), {
      allowDelete: true,
      confirm: async () => true,
    }),
  );
  expect(await dies).toBe(true);
  here.name({ ...segment, key: ["cmo_name"] });
  await expect(here.back()).rejects.toThrow(/told rows apart otherwise/);
  expect(books.findMasters(here.prod, "segment", "cmo_code", "A")).toHaveLength(1);
  here.name(segment);
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  expect(Object.keys(authored(here.prod))).toEqual(["X"]);
});
