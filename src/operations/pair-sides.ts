import { EngineError } from "../engine/progress.ts";
import type { Plan } from "../model/plan.ts";
import { parseUrn } from "../model/urn.ts";

/**
 * A URN says whose it is. One of the target in the place of the source's counts as an object of the source that stands at the
 * target: each later run would take the two for one environment, and do nothing. Tenants of one name, or names that are
 * neither side's, tell nothing.
 */
export function refuseOtherSides(
  { source, target }: Pick<Plan, "source" | "target">,
  pair: { readonly source: string; readonly target: string },
): void {
  if (source.realm === target.realm) return;
  for (const [urn, own, other] of [
    [pair.source, source, target],
    [pair.target, target, source],
  ] as const) {
    if (parseUrn(urn)?.tenant !== other.realm) continue;
    throw new EngineError(
      "selection",
      `${urn} is of ${other.name}, and stands where one of ${own.name} belongs; nothing was set`,
      "Correct the pair: the source's URN comes first, then the target's.",
    );
  }
}
