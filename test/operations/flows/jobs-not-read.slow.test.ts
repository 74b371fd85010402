import { expect, test } from "vitest";
import type { FaultEffect } from "../../../src/emulator/index.ts";
import { exitCodes } from "../../../src/model/result.ts";
import { applyPlan } from "../../../src/operations/apply.ts";
import { refusal } from "../support.ts";
import type { FlowWorld } from "./support.ts";
import { before, flowWorld } from "./support.ts";

/** Jobs only tell how far a run is, and why it failed: how the workflow stands is said by itself. */
const answers: readonly (readonly [string, FaultEffect])[] = [
  ["nobody may read them", { type: "status", code: 403 }],
  ["they are not offered", { type: "status", code: 404, page: true }],
  ["the question is refused", { type: "status", code: 400 }],
  ["their list goes round", { type: "repeat-cursor" }],
];

function withoutJobs({ world }: FlowWorld, effect: FaultEffect): void {
  world.emulator.faults.add({ match: { route: "GET /api/processing/v1/jobs" }, effect });
}

const apply = async ({ world }: FlowWorld) =>
  applyPlan(world.migration({ flows: before(), limits: { workflowMs: 3_000 } }), {
    confirm: async () => true,
  });

test.each(answers)("a flow is awaited where %s", async (_what, effect) => {
  const there = await flowWorld();
  withoutJobs(there, effect);
  expect((await apply(there)).exitCode).toBe(exitCodes.done);
  expect(there.workflows()).toMatchObject([{ status: "FINISHED" }]);
});

test.each(answers)("one that failed has ended where %s, and is started anew", async (_what, effect) => {
  const there = await flowWorld();
  withoutJobs(there, effect);
  there.prod.quirks.workflowOutcome = "FAILED";
  expect(await refusal(apply(there))).toMatchObject({
    code: "flow-failed",
    message: expect.stringContaining("it FAILED"),
  });
  there.prod.quirks.workflowOutcome = "FINISHED";
  expect((await apply(there)).exitCode).toBe(exitCodes.done);
  expect(there.starts()).toBe(2);
});
