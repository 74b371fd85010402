import { keepsTheirs } from "../../model/mapping.ts";
import { standsAlone } from "../facets/standing.ts";
import type { Context } from "./draft.ts";
import type { Comparison } from "./compare.ts";
import type { Node } from "./node.ts";
import { isOffered } from "./not-offered.ts";
import { holdsTheirs } from "./theirs-within.ts";

/** A new object in its place (policy.replace) holds what the source says, and nothing of what the target was to keep. */
export function losesKept(
  { kind, entry }: Pick<Node, "kind" | "entry">,
  {
    kept,
    theirs,
    left,
    difference,
    target,
    keys,
  }: Pick<Comparison, "kept" | "theirs" | "left" | "difference" | "target" | "keys">,
  { input }: Pick<Context, "input">,
): boolean {
  const { replace, conflict } = input.plan.policy;
  if (replace !== "allow" || conflict === "source-wins" || !standsAlone(kind)) return false;
  if (isOffered(kind, input) || Object.keys(difference.patch).length === 0) return false;
  if (keepsTheirs({ kept: { ...entry?.kept, ...kept, ...theirs } }) || left.length > 0) return true;
  return holdsTheirs(target, { keys: { ...entry?.keys, ...keys } }, input.plan.policy);
}
