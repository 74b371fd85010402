import type { Registry } from "../../kinds/registry.ts";
import type { AppliedChange } from "../../model/change.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { notBrought, saidBySomebody } from "../checks/said-of.ts";
import { isSaidOf } from "../facets/standing.ts";
import type { Built, Unbuilt } from "./built.ts";
import type { Recorder } from "./recorder.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";

interface ForgetOptions {
  readonly registry: Pick<Registry, "moved">;
  readonly mapping: Pick<MappingTable, "get">;
  readonly recorder: Pick<Recorder, "entry">;
}

/**
 * What was said of a thing goes with it. Its row is kept until then: whoever deletes the thing asks whether somebody has
 * said something else.
 */
export async function forgetSaidOf(
  changes: readonly AppliedChange[],
  { registry, mapping, recorder }: ForgetOptions,
): Promise<void> {
  for (const { action, kind, source, outcome } of changes) {
    if (action !== "delete" || outcome !== "done" || source === undefined) continue;
    for (const over of registry.moved())
      if (isSaidOf(over, kind) && mapping.get(over.name, source.urn) !== undefined)
        await recorder.entry(over.name, source.urn, null);
  }
}

/** A delete that is looked at once more for what somebody has said of the thing since the diff. */
export function lookingForSaid(
  built: Built | Unbuilt,
  task: Task,
  { registry, mapping }: Omit<ForgetOptions, "recorder">,
): Built | Unbuilt {
  if (currentStep(task).effect !== "removes" || "state" in built) return built;
  const { source, target = "" } = built.item;
  // What a new one takes the place of has no source of its own.
  if (source === target) return built;
  const thing = { kind: task.kind.name, source, target };
  return {
    ...built,
    besides: async (client) => {
      const said = await saidBySomebody(thing, { registry, mapping, client });
      if (said === undefined) return undefined;
      return said.state === "changed" ? notBrought(said) : said.unseen.why;
    },
  };
}
