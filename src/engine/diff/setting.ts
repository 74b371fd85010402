import { urnType } from "../../model/urn.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";

/** What a person runs to name the twin; a pair whose target is gone has to be taken away first. */
export function settingOf(
  node: Node,
  target: string,
  { plan, registry }: Pick<DiffInput, "plan" | "registry">,
): string {
  // A URN does not always tell: an SQL item is a catalog item, and any type may be an entity.
  const { name } = node.kind;
  const kind = registry.kindOf(urnType(node.urn) ?? "") === name ? "" : ` --kind ${name}`;
  const set = `ferry mappings ${plan.name} set ${node.urn} ${target}${kind}`;
  return node.entry === undefined ? set : `ferry mappings ${plan.name} remove ${node.urn}, and then ${set}`;
}
