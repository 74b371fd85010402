import { isLocated } from "../facets/standing.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";

/**
 * Where the twin of something stands that lies over the moved thing `over`, when that one's twin is `where`. One that
 * has a URN of its own is told by the record of that; undefined where nobody has read it.
 */
export function locatedOver(
  { kind, urn }: Pick<Node, "kind" | "urn">,
  over: string,
  where: string,
  { target, mapping }: DiffInput,
): string | undefined {
  if (!isLocated(kind)) return where;
  // What was read one by one was read with the twin that was supposed then.
  const supposed = mapping.twin(over) ?? target.pairs.supposed.get(over);
  if (supposed === where) return target.overlays.get(kind.name, urn);
  const record = target.pairs.records.get(where);
  const located = record === undefined ? undefined : kind.locate(record);
  return located !== undefined && target.snapshot.has(kind.name, located) ? located : undefined;
}
