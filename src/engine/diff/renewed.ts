import { namesItsParts } from "../facets/standing.ts";
import type { Nodes } from "./node.ts";

/** Sub-entity keys of the source of which the diff knows another twin than the mapping does, which may know none. */
export type Renewed = ReadonlyMap<string, { readonly known: string | undefined; readonly twin: string }>;

/**
 * Parts that somebody has made anew at the target, or has added there as the source did. Until the row of their owner says so, and it
 * may not in this run (a change of theirs is left to a person, it is made by hand, the plan leaves the owner out), what is sent for
 * others has to name them as the diff does.
 */
export function renewedParts(nodes: Pick<Nodes, "all">): Renewed {
  const renewed = new Map<string, { readonly known: string | undefined; readonly twin: string }>();
  for (const node of nodes.all) {
    if (!namesItsParts(node.kind)) continue;
    const { entry } = node;
    if (entry === undefined) continue;
    const known = entry.keys ?? {};
    for (const [key, twin] of Object.entries(node.keys)) {
      const before = Object.hasOwn(known, key) ? known[key] : undefined;
      if (before !== twin) renewed.set(key, { known: before, twin });
    }
  }
  return renewed;
}
