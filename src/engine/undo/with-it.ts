import { printOf } from "../../model/canonical.ts";
import type { ReadClient } from "../../service/index.ts";
import { liesOver, onlyAdds, standsAlone } from "../facets/standing.ts";
import type { Planned, PlanContext } from "./plan.ts";
import { isDelete } from "./plan.ts";
import { describeDeed } from "./words.ts";

/**
 * What the run laid over something that it had created goes with that: the primary monitor of an SQL item, what was
 * said of its attributes. By the id of its change, the id of the delete that it goes with. What somebody has changed
 * since is not among them: it keeps what it lies over.
 */
export async function goingWithIt(
  planned: readonly Planned[],
  { standing }: PlanContext,
  client: ReadClient,
): Promise<ReadonlyMap<string, string>> {
  const holders = new Map<string, string>();
  for (const { deed, kind, change } of planned.filter(isDelete)) {
    holders.set(deed.target, change.id);
    if (!standsAlone(kind) || kind.births === undefined) continue;
    for (const { urn } of await kind.births.read(client, deed.target)) holders.set(urn, change.id);
  }
  const found = new Map<string, string>();
  for (const { deed, kind, change } of planned) {
    if (!liesOver(kind)) continue;
    const { snapshot } = standing;
    const body = snapshot.has(kind.name, deed.target) ? snapshot.body(kind.name, deed.target) : undefined;
    const isOurs = body === undefined || onlyAdds(kind) || printOf(body, kind.shape) === deed.left;
    // One without a URN of its own goes by the URN of what it lies over.
    const over = (body === undefined ? undefined : kind.over.urn(body)) ?? deed.target;
    const holder = holders.get(over);
    if (isOurs && holder !== undefined) found.set(change.id, holder);
  }
  return found;
}

/** Nothing is sent for it, and nothing is known of it afterwards. */
export function gone({ deed, kind }: Planned, holder: string): Planned {
  const change = describeDeed(deed, "unchanged", "it goes with what it lies over");
  return { deed, kind, change, entry: null, goesWith: holder };
}
