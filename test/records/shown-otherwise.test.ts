import { expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { countsOf, recordOf, rowsStage } from "./support.ts";
import type { RowsStage } from "./support.ts";

/** Between a publication and the look at it: the target shows the row otherwise than it was sent, and no answer says whose word that is. */
function asSoonAsItShows({ target }: RowsStage, word: (values: JsonObject) => JsonObject): void {
  const show = target.show.bind(target);
  let isDone = false;
  target.show = (record, values, turn) => {
    show(record, values, turn);
    if (isDone || values === undefined) return;
    isDone = true;
    seed.editRecord(target, record, word(values));
  };
}

const was = { code: "DE", name: "old", area: 1 };
const sent = { code: "DE", name: "Deutschland", area: 2.34567 };

const made = [
  ["made", []],
  ["changed", [was]],
] as const;

async function published(
  target: readonly JsonObject[],
  word: (values: JsonObject) => JsonObject,
): Promise<readonly [RowsStage, Awaited<ReturnType<RowsStage["apply"]>>]> {
  const at = await rowsStage({ source: [sent], target });
  asSoonAsItShows(at, word);
  return [at, await at.apply()];
}

function sourceSays(at: RowsStage, values: JsonObject): void {
  const record = recordOf(at.source, "DE");
  if (record === undefined) throw new Error("the source has no such row");
  seed.editRecord(at.source, record, values);
}

test.for(made)(
  "what is no form of it counts as a colleague's word: of a row that was %s",
  async ([, target]) => {
    const [at, result] = await published(target, (values) => ({ ...values, name: "Allemagne" }));
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(JSON.stringify(result.changes)).toContain("somebody may have changed it since");
    const before = at.writes();
    const still = await at.apply();
    expect([countsOf(still), at.writes()]).toMatchObject([{ drift: 1, conflict: 0 }, before]);
    sourceSays(at, { name: "Germany" });
    const next = await at.apply();
    expect([next.exitCode, countsOf(next), at.writes()]).toMatchObject([
      exitCodes.partial,
      { conflict: 1 },
      before,
    ]);
    expect(at.published()).toEqual({ DE: { ...sent, name: "Allemagne" } });
  },
);

test.for(made)("a rollback leaves it: of a row that was %s", async ([, target]) => {
  const [at] = await published(target, (values) => ({ ...values, name: "Allemagne" }));
  const back = await rollbackRun(at.world.migration(at.changes), {
    allowDelete: true,
    confirm: async () => true,
  });
  expect(back.exitCode).toBe(exitCodes.partial);
  expect(at.published()).toEqual({ DE: { ...sent, name: "Allemagne" } });
});

test.for([
  ["shortened", { name: "Deutsch" }],
  ["in other letters", { name: " DEUTSCHLAND " }],
  ["rounded", { area: 2.35 }],
  ["cut off", { area: 2 }],
] as const)("what is a form of it is the service's own: %s", async ([, form]) => {
  const [at, result] = await published([was], (values) => ({ ...values, ...form }));
  expect(result.exitCode).toBe(exitCodes.done);
  const before = at.writes();
  expect([(await at.apply()).exitCode, at.writes()]).toEqual([exitCodes.done, before]);
  sourceSays(at, { name: "Germany", area: 5 });
  expect((await at.apply()).exitCode).toBe(exitCodes.done);
  expect(at.published()).toEqual({ DE: { code: "DE", name: "Germany", area: 5 } });
});
