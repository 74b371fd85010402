import { digest, stableText } from "../../model/canonical.ts";
import type { Action } from "../../model/change.ts";
import { strip } from "../../model/shape.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";
import type { Resolver } from "./resolver.ts";

const writing: ReadonlySet<Action> = new Set(["create", "update", "replace"]);

/**
 * A print of what the target's metadata model has no place for in it, and what is left out, since the plan says so: the model may
 * be another one when an approved diff goes on. Undefined where all of it has a place.
 */
export function noPlaceOf(
  { kind, urn }: Node,
  action: Action,
  { input, resolver }: { readonly input: DiffInput; readonly resolver: Resolver },
): string | undefined {
  const isAsked = input.plan.policy.missingProperty === "drop" && writing.has(action);
  if (!isAsked || kind.misfits === undefined) return undefined;
  const body = strip(input.source.body(kind.name, urn), kind.shape);
  const misfits = kind.misfits(body, resolver.typesThere).map(({ about }) => about);
  return misfits.length === 0 ? undefined : digest(stableText([...new Set(misfits)].sort())).slice(0, 16);
}
