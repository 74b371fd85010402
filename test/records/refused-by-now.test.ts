import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { failureOf } from "../../src/operations/failure.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { RowsStage } from "./support.ts";
import { countsOf, diesAt, rowsStage } from "./support.ts";
import { party, put, stage } from "./masters-stage.ts";

/** What a killed run has begun, and what the service refuses by now. */

const forget = 'ferry resolve PLAN --abandon "reference-data:Countries"';

async function began(): Promise<RowsStage> {
  return rowsStage({
    source: [{ code: "FR", name: "France" }],
    target: [{ code: "FR", name: "Frankreich" }],
    plan: { limits: { quietPeriodMs: 10 } },
  });
}

function refusesAll({ world }: Pick<RowsStage, "world">): void {
  world.emulator.faults.add({
    match: { tenant: "prod", method: "POST", path: "/draft\\/batch$/" },
    effect: { type: "status", code: 400 },
  });
}

const advice = (result: Result): readonly (readonly [string, string | undefined])[] =>
  result.changes.flatMap(({ diagnostics }) =>
    diagnostics.map(({ code, suggestion }) => [code, suggestion] as const),
  );

test("a change that is refused as it is sent again stays open, and is told with what forgets it", async () => {
  const here = await began();
  expect(await diesAt("send:after", 1, async (hooks) => here.apply({}, { hooks }))).toBe(true);
  refusesAll(here);
  for (let run = 0; run < 2; run += 1) {
    const result = await here.apply();
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(advice(result)).toEqual([["row-blocked", expect.stringContaining(forget)]]);
  }
  const decisions = [{ decision: "abandon", source: "reference-data:Countries" } as const];
  await resolveDoubts(here.world.migration(here.changes), { decisions });
  const result = await here.apply();
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { failed: 1, blocked: 0 }]);
  here.world.emulator.faults.clear();
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(here.published()["FR"]?.["name"]).toBe("France");
});

test("a rollback that has left it says why it is refused, and the same", async () => {
  const here = await began();
  await here.apply();
  const back = async (hooks?: { reached(at: string): void }): Promise<unknown> =>
    rollbackRun(here.world.migration(here.changes, hooks === undefined ? {} : { hooks }), {
      confirm: async () => true,
    });
  expect(await diesAt("send:after", 1, back)).toBe(true);
  refusesAll(here);
  const error: unknown = await back().catch((thrown: unknown) => thrown);
  expect(failureOf(error, true)?.diagnostics).toMatchObject([
    {
      summary: expect.stringContaining("the row FR: "),
      suggestion: expect.stringContaining(
        forget.replace("PLAN", here.world.migration(here.changes).plan.name),
      ),
    },
  ]);
});

test("a row that is refused as an earlier run's, and once more as it is compared, counts once", async () => {
  const here = await stage([party]);
  for (const id of ["A", "B"]) put(here.dev, id, { src_name: id });
  expect(await diesAt("intent:after", 1, async (hooks) => here.apply({}, { hooks }))).toBe(true);
  here.made.emulator.faults.add({
    match: { method: "PUT", path: "/\\/instance\\/party\\//" },
    effect: { type: "status", code: 400 },
  });
  const result = await here.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  const names = advice(result).map(([code]) => code);
  expect([countsOf(result)?.failed, names]).toEqual([2, ["row-refused", "row-refused"]]);
});
