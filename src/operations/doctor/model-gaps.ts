import { kindsToList } from "../../engine/read/selection.ts";
import type { Misfit } from "../../kinds/kind.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Migration } from "../migration.ts";

/** What the target's metadata model lacks of what the plan's kinds may carry: each once, whichever kind names it. */
export async function findModelGaps(migration: Migration): Promise<readonly Diagnostic[]> {
  const { plan, registry } = migration;
  const listed = kindsToList(registry, plan.select);
  const kinds = registry.moved().filter(({ name }) => listed.has(name));
  const found = new Map<string, Misfit>();
  for (const kind of kinds) {
    const gaps = await kind.modelGaps?.(migration.source(), migration.targetReads(), plan);
    for (const gap of gaps ?? []) found.set(gap.about, gap);
  }
  const { name } = plan.target;
  const general = `What has a value in it is blocked. Add it to the metadata model of ${name}, or set policy.missingProperty to drop.`;
  return [...found.values()].map(({ reason, suggestion = general }) => ({
    severity: "warning",
    code: "not-in-the-model",
    summary: `${name}: ${reason}`,
    suggestion,
  }));
}
