import { expect, onTestFinished } from "vitest";
import type { AppliedChange } from "../../../src/model/change.ts";
import { applyPlan } from "../../../src/operations/apply.ts";
import type { PlanChanges, World } from "../../support/world.ts";
import { world } from "../../support/world.ts";

/** Brings some kinds of the demo over, and sees that a second run writes nothing. Gives what was done of one of them. */
export async function overTheDemo(
  kind: string,
  changes: PlanChanges,
): Promise<{ readonly changes: readonly AppliedChange[]; readonly demo: World }> {
  const demo = await world("demo");
  onTestFinished(async () => demo.close());
  const first = await applyPlan(demo.migration(changes), { confirm: async () => true, verify: true });
  const again = demo.migration(changes);
  const second = await applyPlan(again, { confirm: async () => true, verify: true });
  const mine = first.changes.filter((change) => change.kind === kind);
  expect(mine.map((change) => [change.source?.name, change.outcome ?? change.action])).not.toContainEqual([
    expect.anything(),
    "failed",
  ]);
  expect(again.requests().target.writes).toBe(0);
  expect(second.summary.failed).toBe(0);
  return { changes: mine, demo };
}
