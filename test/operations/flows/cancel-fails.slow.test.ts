import { expect, onTestFinished, test } from "vitest";
import type { FaultEffect } from "../../../src/emulator/index.ts";
import { exitCodes } from "../../../src/model/result.ts";
import { startFlow, watchFlow } from "../../../src/operations/flow.ts";
import { planStatus } from "../../../src/operations/status.ts";
import { refusal } from "../support.ts";
import { flowWorld, poll } from "./support.ts";

/** The interrupt cancels the flow, and the request for that fails: what is under way is not lost sight of. */

const cancel = "POST /api/processing/v1/workflows/cancel";
const wanted = { configuration: "Import", connection: "prod-wh", wait: true };

const fails: readonly (readonly [string, FaultEffect, "CANCELED" | "RUNNING"])[] = [
  ["500", { type: "status", code: 500 }, "RUNNING"],
  ["403", { type: "status", code: 403 }, "RUNNING"],
  ["a gateway's error, and it was done", { type: "status", code: 504, commit: true }, "CANCELED"],
  ["its answer lost", { type: "drop-after-commit" }, "CANCELED"],
  ["lost on its way", { type: "drop-before-commit" }, "RUNNING"],
  ["refused connections", { type: "refuse-connection" }, "RUNNING"],
  ["an answer that is none", { type: "garbage" }, "CANCELED"],
];

test.each(fails)("a cancel request that fails: %s", async (_what, effect, status) => {
  const there = await flowWorld();
  const { world, prod } = there;
  prod.quirks.workflowOutcome = "never";
  const stop = new AbortController();
  onTestFinished(
    world.emulator.on(({ phase, entry }) => {
      if (phase === "received" && entry.route === poll) stop.abort();
    }),
  );
  world.emulator.faults.add({ match: { route: cancel }, effect });
  const limits = { quietPeriodMs: 30 };
  const migration = world.migration({ limits }, { stop: stop.signal });
  const error = await refusal(startFlow(migration, { ...wanted, cancelFlows: true }));
  expect(error).toMatchObject({ code: "interrupted" });
  const isCancelled = status === "CANCELED";
  if (isCancelled) {
    expect(error.message).toContain("it was cancelled by the interrupt");
  } else {
    expect(error.message).toContain("whether it was cancelled is not known");
  }
  expect(await planStatus(world.migration())).toMatchObject({
    exitCode: isCancelled ? exitCodes.done : exitCodes.interrupted,
    next: [isCancelled ? "ferry diff test" : "ferry flow test watch"],
  });
  for (const running of prod.workflows.values()) {
    if (running.status !== "CANCELED") prod.workflows.put({ ...running, outcome: "FINISHED" });
  }
  if (!isCancelled) expect((await watchFlow(world.migration(), undefined)).exitCode).toBe(exitCodes.done);
  prod.quirks.workflowOutcome = "FINISHED";
  expect((await startFlow(world.migration(), wanted)).exitCode).toBe(exitCodes.done);
  expect(there.starts()).toBe(2);
});
