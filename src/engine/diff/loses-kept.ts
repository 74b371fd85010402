import type { JsonObject } from "../../model/json.ts";
import { keepsTheirs } from "../../model/mapping.ts";
import { standsAlone } from "../facets/standing.ts";
import type { Context } from "./draft.ts";
import type { Kept } from "./kept.ts";
import type { Node } from "./node.ts";
import { isOffered } from "./not-offered.ts";

/** A new object in its place (policy.replace) holds what the source says, and nothing of what the target was to keep. */
export function losesKept(
  { kind, entry }: Pick<Node, "kind" | "entry">,
  { kept, difference }: { readonly kept: Kept; readonly difference: { readonly patch: JsonObject } },
  { input }: Pick<Context, "input">,
): boolean {
  const { replace, conflict } = input.plan.policy;
  if (replace !== "allow" || conflict === "source-wins" || !standsAlone(kind)) return false;
  if (isOffered(kind, input) || Object.keys(difference.patch).length === 0) return false;
  return keepsTheirs({ kept: { ...entry?.kept, ...kept } });
}
