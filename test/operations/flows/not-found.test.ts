import { expect, onTestFinished, test } from "vitest";
import { applyPlan } from "../../../src/operations/apply.ts";
import { planStatus } from "../../../src/operations/status.ts";
import { exitCodes, type Result } from "../../../src/model/result.ts";
import { refusal } from "../support.ts";
import type { FlowWorld } from "./support.ts";
import { before, flowWorld, poll } from "./support.ts";

/** A run that asks at once where it would wait. */
async function hurried(there: FlowWorld): Promise<Result> {
  const migration = there.world.migration({ flows: before() });
  Object.assign(migration, { sleep: async () => undefined });
  return applyPlan(migration, { confirm: async () => true });
}

/** The service does not show a workflow the first few times that it is asked for it. */
function hide({ world, prod }: FlowWorld, times: number): void {
  let left = times;
  let [hidden] = [...prod.workflows.values()];
  onTestFinished(
    world.emulator.on(({ entry, phase }) => {
      if (entry.route !== poll) return;
      if (phase === "received" && left > 0) {
        left -= 1;
        [hidden] = [...prod.workflows.values()];
        if (hidden !== undefined) prod.workflows.delete(hidden.urn);
      } else if (phase === "answered" && hidden !== undefined) {
        prod.workflows.put(hidden);
        hidden = undefined;
      }
    }),
  );
}

const polls = ({ world }: FlowWorld): number =>
  world.emulator.log.entries.filter(({ route }) => route === poll).length;

test("a workflow that does not show right after its start is asked for once more, and not started again", async () => {
  const there = await flowWorld();
  hide(there, 1);
  expect((await hurried(there)).exitCode).toBe(exitCodes.done);
  expect(there.starts()).toBe(1);
  expect(there.workflows()).toMatchObject([{ status: "FINISHED" }]);
});

test("one that a gateway did not find is asked for once more, too", async () => {
  const there = await flowWorld();
  there.world.emulator.faults.add({
    match: { route: poll },
    when: { times: 1 },
    effect: { type: "status", code: 404, page: true },
  });
  expect((await hurried(there)).exitCode).toBe(exitCodes.done);
  expect(there.starts()).toBe(1);
});

test("one that a gateway does not find the second time either goes on, as far as anybody knows", async () => {
  const there = await flowWorld();
  const off = there.world.emulator.faults.add({
    match: { route: poll },
    effect: { type: "status", code: 404, page: true },
  });
  expect(await refusal(hurried(there))).toMatchObject({ code: "interrupted" });
  expect(polls(there)).toBe(2);
  off();
  expect((await hurried(there)).exitCode).toBe(exitCodes.done);
  expect(there.starts()).toBe(1);
});

test("one that is not there the second time either is gone", async () => {
  const there = await flowWorld();
  hide(there, 2);
  const error = await refusal(hurried(there));
  expect(error).toMatchObject({ code: "flow-failed" });
  expect(error.message).toContain("does not exist any more");
  expect(polls(there)).toBe(2);
  expect((await planStatus(there.world.migration())).exitCode).not.toBe(exitCodes.inDoubt);
});
