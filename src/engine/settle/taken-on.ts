import type { MovedKind, StepItem } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { ReadClient } from "../../service/index.ts";
import type { TargetState } from "../read/target.ts";
import type { Recorder } from "../apply/recorder.ts";
import { wholeOf } from "../apply/address.ts";
import { otherObject, wrongUrn } from "../apply/contradictions.ts";
import { stepNamed } from "../facets/steps.ts";
import { acceptedText, follow } from "./accepted.ts";
import type { Settler, Verdict } from "./settler.ts";
import type { Doubt } from "./subtraction.ts";

export interface TakenOnOptions {
  readonly client: ReadClient;
  readonly registry: Registry;
  readonly mapping: MappingTable;
  readonly recorder: Recorder;
  readonly settler: Settler;
  readonly target: TargetState;
}

export interface TakenOn {
  readonly doubt: Doubt;
  readonly kind: MovedKind;
  readonly verdict: Verdict;
}

/** What the service has accepted is asked about, all of it at once, and never sent again. */
export async function followLeftovers(
  doubts: readonly Doubt[],
  options: TakenOnOptions,
): Promise<readonly TakenOn[]> {
  // One that ends the run ends the questions about the others, too.
  let ended = false;
  const asked = doubts.map(async (doubt): Promise<readonly TakenOn[]> => {
    const kind = options.registry.movedKind(doubt.kind);
    if (doubt.handle === undefined || kind === undefined) return [];
    const { client, recorder, settler, mapping } = options;
    const { item } = doubt;
    const step = stepNamed(kind, doubt.step);
    if (step === undefined) {
      const reason = `${acceptedText}, and this version of ferry knows no step "${doubt.step}"`;
      return [{ doubt, kind, verdict: { state: "unknown", reason } }];
    }
    const target = item.target ?? mapping.get(kind.name, item.source)?.target;
    const body: JsonObject = isObject(item.body) ? item.body : {};
    const isCreate = step.effect === "creates";
    const whole = isCreate ? body : wholeOf(kind, target ?? "", item.whole, options.target);
    const stepItem: StepItem = {
      source: item.source,
      name: item.name,
      ...(isCreate || target === undefined ? {} : { target }),
      body,
      whole,
    };
    const verdict = await follow({
      step,
      client,
      item: stepItem,
      accepted: { handle: doubt.handle, waitMs: 0 },
      disbelieved: (answer) =>
        isCreate
          ? wrongUrn(kind, item.source, answer.target ?? "", mapping)
          : otherObject(kind, step.effect, stepItem, answer.target),
      renamed: (handle) =>
        recorder.outcome(kind.name, doubt.op, [{ source: item.source, result: "accepted", handle }]),
      sleep: (ms) => settler.sleep(ms),
      stopped: () => ended,
    }).catch((error: unknown) => {
      ended = true;
      throw error;
    });
    // It is on its way as before: looked for like what nobody has accepted it would be given up.
    if (verdict.state === "stopped")
      return [{ doubt, kind, verdict: { state: "later", reason: acceptedText } }];
    return [{ doubt, kind, verdict }];
  });
  return (await Promise.all(asked)).flat();
}
