import { expect, test } from "vitest";
import { documentationFlows } from "../../src/kinds/documentation-flows.ts";
import { resolveFlows } from "../../src/operations/flow-names.ts";
import { before, flowWorld, type FlowWorld } from "../operations/flows/support.ts";
import { sent, started } from "./support/action.ts";

/** Document 1, "Documentation flows": started, found again, awaited, cancelled. */
async function importing(there: FlowWorld): Promise<Parameters<typeof started>[2]> {
  const migration = there.world.migration();
  const [flow] = await resolveFlows(migration.targetReads(), before().before);
  return flow?.body ?? {};
}

test("is accepted under the URN of its workflow, which is new, and done when that is FINISHED", async () => {
  const there = await flowWorld();
  const client = there.world.migration().target();
  const body = await importing(there);
  const known = new Set(await documentationFlows.seen(client, body));
  const handle = await started(documentationFlows, client, body);
  expect(known.has(handle)).toBe(false);
  expect((await documentationFlows.seenSince(client, body, known)).map(({ urn }) => urn)).toEqual([handle]);
  const states: string[] = [];
  for (let answer = ""; answer !== "done"; states.push(answer))
    answer = (await documentationFlows.start.poll?.(client, sent(body), handle))?.state ?? "done";
  expect(states).toEqual(["accepted", "accepted", "done"]);
});

test("one that is cancelled has ended without going wrong", async () => {
  const there = await flowWorld();
  const client = there.world.migration().target();
  const body = await importing(there);
  const handle = await started(documentationFlows, client, body);
  expect(await documentationFlows.cancel(client, handle)).toBe(true);
  expect(await documentationFlows.cancel(client, handle)).toBe(false);
  const answer = await documentationFlows.start.poll?.(client, sent(body), handle);
  expect(answer?.state).toBe("refused");
  const reason = answer !== undefined && "reason" in answer ? answer.reason : "";
  expect(documentationFlows.wentWrong(reason)).toBe(false);
});
