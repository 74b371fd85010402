import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { RowsStage } from "./support.ts";
import { countsOf, recordOf, rowsStage } from "./support.ts";

/** The service may still be at work on what a run has lost the answer of: it is looked at again before it is sent again. */

const quietPeriodMs = 400;

async function stageOf(
  draftFilter: "absent" | "offered",
  options: Parameters<typeof rowsStage>[0],
): Promise<RowsStage> {
  const at = await rowsStage({ ...options, plan: { limits: { quietPeriodMs } } });
  at.prod.quirks.draftFilter = draftFilter;
  return at;
}

async function ended(at: RowsStage): Promise<void> {
  await at.world.emulator.idle();
  expect(at.target.open()).toEqual([]);
}

const change = { source: [{ code: "DE", name: "b" }], target: [{ code: "DE", name: "a" }] };

test.each(["absent", "offered"] as const)(
  "what a colleague publishes while it is waited whether a lost change arrives is not written over (drafts: %s)",
  async (draftFilter) => {
    const at = await stageOf(draftFilter, change);
    const { emulator } = at.world;
    emulator.faults.add({
      match: { tenant: "prod", method: "POST", path: "/draft/batch$/" },
      when: { skip: draftFilter === "absent" ? 1 : 0, times: 1 },
      effect: { type: "drop-before-commit" },
    });
    emulator.on(({ phase, entry }) => {
      const record = recordOf(at.target, "DE");
      if (phase === "answered" && entry.fault === "drop-before-commit" && record !== undefined)
        seed.editRecord(at.target, record, { name: "theirs" });
    });
    const result = await at.apply();
    expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { done: 0, failed: 1 }]);
    await ended(at);
    expect(at.published()).toEqual({ DE: { code: "DE", name: "theirs" } });
  },
);

test("nor is what stands in a colleague's draft published where a lost change shows by then", async () => {
  const at = await stageOf("offered", change);
  const { emulator } = at.world;
  emulator.faults.add({
    match: { tenant: "prod", method: "POST", path: "/draft/batch$/" },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  emulator.on(({ phase, entry }) => {
    const record = recordOf(at.target, "DE");
    if (phase !== "answered" || entry.fault !== "drop-after-commit" || record === undefined) return;
    // Whoever publishes all drafts publishes ours with them.
    at.prod.referenceData.publish(at.target, [record], "at-once");
    at.target.change(record, { name: "not yet" });
  });
  expect((await at.apply()).exitCode).toBe(exitCodes.done);
  expect(at.published()).toEqual({ DE: { code: "DE", name: "b" } });
  expect(at.target.open()).toMatchObject([{ draft: { name: "not yet" } }]);
});
