import { EngineError } from "../engine/progress.ts";
import { ownUrnsMapped } from "../engine/read/own-urns.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { Plan } from "../model/plan.ts";
import { parseUrn } from "../model/urn.ts";

/** How URNs of each side spell its tenant. */
export interface Tenants {
  readonly source: string;
  readonly target: string;
}

/** By what is mapped; asked for once, before pairs that are named now are among that. */
export function tenantsOf(
  { source, target }: Pick<Plan, "source" | "target">,
  mapping: MappingTable,
): Tenants {
  return {
    source: ownUrnsMapped(mapping, "source", source.realm).tenant,
    target: ownUrnsMapped(mapping, "target", target.realm).tenant,
  };
}

/**
 * A URN says whose it is. One of the target in the place of the source's counts as an object of the source that stands at the
 * target: each later run would take the two for one environment, and do nothing. Tenants of one name, or names that are
 * neither side's, tell nothing.
 */
export function refuseOtherSides(
  { source, target }: Pick<Plan, "source" | "target">,
  pair: { readonly source: string; readonly target: string },
  tenants: Tenants,
): void {
  if (tenants.source === tenants.target) return;
  for (const [urn, own, other, tenant] of [
    [pair.source, source, target, tenants.target],
    [pair.target, target, source, tenants.source],
  ] as const) {
    if (parseUrn(urn)?.tenant !== tenant) continue;
    throw new EngineError(
      "selection",
      `${urn} is of ${other.name}, and stands where one of ${own.name} belongs; nothing was set`,
      "Correct the pair: the source's URN comes first, then the target's.",
    );
  }
}
