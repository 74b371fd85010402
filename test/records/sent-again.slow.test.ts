import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import type { RowsStage } from "./support.ts";
import { countsOf, rowsStage, untilDone } from "./support.ts";

const batches = { tenant: "prod", method: "POST", path: "/draft\\/batch$/" } as const;

/** FR was renamed at the target by a run; of whatever is written to drafts from now on the answers are as said. */
async function renamed(): Promise<RowsStage> {
  const stage = await rowsStage({
    source: [{ code: "FR", name: "France" }],
    target: [{ code: "FR", name: "Frankreich" }],
    plan: { limits: { quietPeriodMs: 10 } },
  });
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(stage.published()["FR"]?.["name"]).toBe("France");
  return stage;
}

const drafts = (stage: RowsStage): number => stage.target.open().length;

test("what was sent and had no answer stays open until it is sent again: a run that dies between leaves nothing in drafts", async () => {
  class Killed extends Error {}
  let left = 0;
  for (let nth = 1; ; nth += 1) {
    const stage = await renamed();
    // A row is looked at in its draft before it is sent: that one is answered.
    const when = { skip: 1, times: 1 };
    stage.world.emulator.faults.add({ match: batches, when, effect: { type: "drop-after-commit" } });
    let [seen, isDead] = [0, false];
    const reached = (): void => {
      seen += 1;
      isDead ||= seen >= nth;
      if (isDead) throw new Killed();
    };
    const migration = stage.world.migration(stage.changes, { hooks: { reached } });
    await rollbackRun(migration, { confirm: async () => true }).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    if (!isDead) break;
    const open = drafts(stage);
    left += open;
    if (open > 0)
      expect(countsOf(await stage.diff())?.samples).toMatchObject([
        { name: "FR", action: "blocked", reason: expect.stringContaining("an interrupted rollback has") },
      ]);
    expect((await untilDone(async () => stage.apply())).at(-1)).toBe(exitCodes.done);
    expect(drafts(stage)).toBe(0);
    expect(stage.published()["FR"]?.["name"]).toBe("France");
  }
  expect(left).toBeGreaterThan(3);
});

test("a refusal of what is sent again says nothing of what was sent before: it is told until it is in its place", async () => {
  const stage = await renamed();
  const { faults } = stage.world.emulator;
  faults.add({ match: batches, when: { skip: 1, times: 1 }, effect: { type: "drop-after-commit" } });
  faults.add({ match: batches, when: { skip: 2, times: 1 }, effect: { type: "status", code: 400 } });
  const back = await rollbackRun(stage.world.migration(stage.changes), { confirm: async () => true });
  expect(back.exitCode).not.toBe(exitCodes.done);
  expect(drafts(stage)).toBe(1);
  expect(countsOf(await stage.diff())?.samples).toMatchObject([{ name: "FR", action: "blocked" }]);
  expect((await untilDone(async () => stage.apply())).at(-1)).toBe(exitCodes.done);
  expect(drafts(stage)).toBe(0);
  expect(stage.published()["FR"]?.["name"]).toBe("France");
});

test.each(["an apply", "a rollback"] as const)(
  "a run that leaves a row open since it is refused as it is sent again says so, and is not done: %s",
  async (what) => {
    const stage = await rowsStage({
      source: [{ code: "FR", name: "France" }],
      target: [{ code: "FR", name: "Frankreich" }],
      plan: { limits: { quietPeriodMs: 10 } },
    });
    if (what === "a rollback") await stage.apply();
    const { faults } = stage.world.emulator;
    faults.add({ match: batches, when: { skip: 1, times: 1 }, effect: { type: "drop-after-commit" } });
    faults.add({ match: batches, when: { skip: 2, times: 1 }, effect: { type: "status", code: 400 } });
    const result =
      what === "an apply"
        ? await stage.apply()
        : await rollbackRun(stage.world.migration(stage.changes), { confirm: async () => true });
    expect([result.exitCode, countsOf(result)?.failed]).toEqual([exitCodes.partial, 1]);
    expect(
      JSON.stringify(result.diagnostics.concat(result.changes.flatMap(({ diagnostics }) => diagnostics))),
    ).toContain("refused (400)");
  },
);

test("nor is one that leaves a deletion open", async () => {
  const stage = await rowsStage({
    source: [{ code: "DE", name: "Germany" }],
    target: [
      { code: "DE", name: "Germany" },
      { code: "FR", name: "France" },
    ],
    remove: true,
    plan: { limits: { quietPeriodMs: 10 } },
  });
  const { faults } = stage.world.emulator;
  const match = { tenant: "prod", method: "DELETE" } as const;
  faults.add({ match, when: { times: 1 }, effect: { type: "drop-after-commit" } });
  faults.add({ match, when: { times: 1 }, effect: { type: "status", code: 400 } });
  const result = await stage.apply({ allowDelete: true });
  expect([result.exitCode, countsOf(result)?.failed]).toEqual([exitCodes.partial, 1]);
  expect((await untilDone(async () => stage.apply({ allowDelete: true }))).at(-1)).toBe(exitCodes.done);
  expect(Object.keys(stage.published())).toEqual(["DE"]);
  expect(drafts(stage)).toBe(0);
});
