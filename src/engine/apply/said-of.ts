import type { Registry } from "../../kinds/registry.ts";
import type { AppliedChange } from "../../model/change.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { isSaidOf } from "../facets/standing.ts";
import type { Recorder } from "./recorder.ts";

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
