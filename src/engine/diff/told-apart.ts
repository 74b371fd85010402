import type { Change } from "../../model/change.ts";
import type { Pairs } from "../pair/pairing.ts";

/**
 * Moved objects and their twins, where the comparison has found another one than was supposed, or one where none was: what
 * stands in them, or lies over them, was looked for elsewhere.
 */
export function toldApart(
  changes: Iterable<Pick<Change, "action" | "source" | "target" | "work">>,
  { supposed, untold }: Pick<Pairs, "supposed" | "untold">,
): ReadonlyMap<string, string> {
  const told = new Map<string, string>();
  if (supposed.size + untold.size === 0) return told;
  for (const { action, source, target, work } of changes) {
    if (source === undefined || target === undefined) continue;
    // One that stays as it is may be what references are led to all the same.
    if (action !== "adopt" && work?.keys === undefined) continue;
    const was = supposed.get(source.urn);
    if (was === undefined ? untold.has(source.urn) : was !== target.urn) told.set(source.urn, target.urn);
  }
  return told;
}
