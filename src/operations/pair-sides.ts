import { EngineError } from "../engine/progress.ts";
import { ownUrnsMapped } from "../engine/read/own-urns.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { Plan } from "../model/plan.ts";
import { parseUrn } from "../model/urn.ts";

/**
 * A URN says whose it is. One of the target in the place of the source's counts as an object of the source that stands at the
 * target: each later run would take the two for one environment, and do nothing. Tenants of one name, or names that are
 * neither side's, tell nothing. What is mapped says how URNs of each side spell its tenant.
 */
export function refuseOtherSides(
  { source, target }: Pick<Plan, "source" | "target">,
  pair: { readonly source: string; readonly target: string },
  mapping: MappingTable,
): void {
  const here = ownUrnsMapped(mapping, "source", source.realm).tenant;
  const there = ownUrnsMapped(mapping, "target", target.realm).tenant;
  if (here === there) return;
  for (const [urn, own, other, tenant] of [
    [pair.source, source, target, there],
    [pair.target, target, source, here],
  ] as const) {
    if (parseUrn(urn)?.tenant !== tenant) continue;
    throw new EngineError(
      "selection",
      `${urn} is of ${other.name}, and stands where one of ${own.name} belongs; nothing was set`,
      "Correct the pair: the source's URN comes first, then the target's.",
    );
  }
}
