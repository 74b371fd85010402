import type { JsonObject } from "../../model/json.ts";
import type { Context, Draft } from "./draft.ts";
import { draft, note } from "./draft.ts";
import type { Node } from "./node.ts";

/** The target has no place for something in it: one cause for all objects that hold the same. */
export function unfit(node: Node, tree: JsonObject, context: Context): Draft | undefined {
  // Under `drop` what the source says there is left out: what finds no place is the target's own, and stays.
  const isLeftOut = context.input.plan.policy.missingProperty === "drop";
  const found = node.kind.misfits?.(tree, context.resolver.types) ?? [];
  const misfits = found.filter(({ place }) => place === undefined || !isLeftOut);
  const [first] = misfits;
  if (first === undefined) return undefined;
  const { name } = context.input.plan.target;
  const general =
    first.place === undefined
      ? `Add it to the metadata model of ${name}, or leave the type out.`
      : `Add it to the metadata model of ${name}, or set policy.missingProperty to drop.`;
  const diagnostics = misfits.map(({ about, reason, suggestion = general }) => ({
    ...note(node, "not-in-the-model", `${name}: ${reason}`, suggestion),
    cause: { key: `not-in-the-model ${about}`, summary: `${name}: ${reason}`, suggestion },
  }));
  const more = misfits.length > 1 ? ` (and ${misfits.length - 1} more)` : "";
  return draft(node, "blocked", context, { reason: `${name}: ${first.reason}${more}`, diagnostics });
}
