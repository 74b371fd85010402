import { expect, onTestFinished, test } from "vitest";
import { evaluationRuns } from "../../src/kinds/evaluation-runs.ts";
import { world } from "../support/world.ts";
import { sent, started } from "./support/action.ts";

/** Page 04: a run of one monitor, whose path is in none of the documents. */
test("is accepted under the URN of its workflow, and is among the newer runs of its monitor alone", async () => {
  const there = await world("demo", { kept: "memory" });
  onTestFinished(() => there.close());
  const prod = there.emulator.tenant("prod");
  prod.quirks.workflowRetryAfter = 0;
  const [one, other] = [...prod.monitors.values()].flatMap(({ urn, published }) =>
    published === undefined
      ? []
      : [{ catalogItemUrn: String(published["catalogItemUrn"]), dqMonitorUrn: urn }],
  );
  if (one === undefined || other === undefined) throw new Error("the demo has no two monitors");
  const client = there.migration().target();
  const known = new Set(await evaluationRuns.seen(client, one));
  const handle = await started(evaluationRuns, client, one);
  expect((await evaluationRuns.seenSince(client, one, known)).map(({ urn }) => urn)).toEqual([handle]);
  expect((await evaluationRuns.seen(client, other)).includes(handle)).toBe(false);
  const states: string[] = [];
  for (let answer = ""; answer !== "done"; states.push(answer))
    answer = (await evaluationRuns.start.poll?.(client, sent(one), handle))?.state ?? "done";
  expect(states).toEqual(["accepted", "accepted", "done"]);
  expect(await evaluationRuns.cancel(client, handle)).toBe(false);
});
