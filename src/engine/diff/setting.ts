import { urnType } from "../../model/urn.ts";
import { shellWord } from "../../model/shell-word.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";

type Named = Pick<DiffInput["registry"], "kindOf">;

/** What a person runs to name the twin; a pair whose target is gone has to be taken away first. */
export function settingOf(
  { kind, urn, entry }: Node,
  target: string,
  { plan, registry }: Pick<DiffInput, "plan" | "registry">,
): string {
  return settingFor({ kind: kind.name, urn, isMapped: entry !== undefined }, target, plan.name, registry);
}

/** The same of an object that nothing else is known of. */
export function settingFor(
  { kind, urn, isMapped }: { readonly kind: string; readonly urn: string; readonly isMapped: boolean },
  target: string,
  plan: string,
  registry: Named,
): string {
  // A URN does not always tell: an SQL item is a catalog item, and any type may be an entity.
  const named = registry.kindOf(urnType(urn) ?? "") === kind ? "" : ` --kind ${kind}`;
  const word = shellWord(urn);
  const set = `ferry mappings ${plan} set ${word} ${shellWord(target)}${named}`;
  return isMapped ? `ferry mappings ${plan} remove ${word}, and then ${set}` : set;
}
