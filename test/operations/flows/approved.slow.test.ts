import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exitCodes } from "../../../src/model/result.ts";
import type { Result } from "../../../src/model/result.ts";
import { applyPlan } from "../../../src/operations/apply.ts";
import { diffPlan } from "../../../src/operations/diff.ts";
import type { PlanChanges } from "../../support/world.ts";
import { refusal, run } from "../support.ts";
import type { FlowWorld } from "./support.ts";
import { after, before, flowWorld, lateTable } from "./support.ts";

const moved = { select: { kinds: ["monitors"] } };

/** A diff with a monitor to be made, approved with this plan. */
async function approved(changes: PlanChanges): Promise<{ there: FlowWorld; out: string }> {
  const there = await flowWorld();
  lateTable(there);
  await run(there.world, { select: { kinds: ["rules"] }, flows: before() });
  const out = join(there.world.folder, "approved.json");
  await diffPlan(there.world.migration(changes), { out });
  there.world.emulator.log.clear();
  return { there, out };
}

const apply = async ({ world }: FlowWorld, changes: PlanChanges, diff: string): Promise<Result> =>
  applyPlan(world.migration(changes), { diff, confirm: async () => true });

test("an approved diff is applied with the flows that its plan has", async () => {
  const changes = { ...moved, flows: { before: before().before, after: after().after } };
  const { there, out } = await approved(changes);
  const result = await apply(there, changes, out);
  expect(result).toMatchObject({ exitCode: exitCodes.done, summary: { create: 1 } });
  expect(there.starts()).toBe(2);
});

describe("an approved diff is refused, and no flow is started, when", () => {
  const both = { before: before().before, after: after().after };
  test.each<readonly [string, PlanChanges, PlanChanges]>([
    ["a flow was put into the plan", moved, { ...moved, flows: after() }],
    ["one was put before", { ...moved, flows: after() }, { ...moved, flows: both }],
    ["one was taken out", { ...moved, flows: both }, { ...moved, flows: after() }],
    ["one runs on other paths", { ...moved, flows: after() }, { ...moved, flows: after({ paths: ["X"] }) }],
    [
      "the policy is another",
      { ...moved, flows: both },
      { ...moved, flows: both, policy: { adopt: "never" } },
    ],
  ])("%s", async (_what, then, now) => {
    const { there, out } = await approved(then);
    const error = await refusal(apply(there, now, out));
    expect(error).toMatchObject({ code: "diff-moved", details: ["the plan was changed"] });
    expect(there.starts()).toBe(0);
  });

  test("the tool is another", async () => {
    const changes = { ...moved, flows: both };
    const { there, out } = await approved(changes);
    const other = there.world.migration(changes, { tool: "9.9.9" });
    const error = await refusal(applyPlan(other, { diff: out, confirm: async () => true }));
    expect(error).toMatchObject({ code: "diff-moved" });
    expect(there.starts()).toBe(0);
  });
});
