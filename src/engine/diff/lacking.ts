import type { JsonObject } from "../../model/json.ts";
import { marker } from "../../model/translate.ts";
import { referenced, walk } from "../../model/walk.ts";
import type { Node, Stop } from "./node.ts";
import type { Resolver } from "./resolver.ts";

/**
 * Owners of parts that something leads to at the target and that are not there: somebody has taken the input out of the rule. The
 * service refuses what names them. It waits for the change that brings them back, and for a person where there is none.
 */
export function lackingAmong(targets: Iterable<string>, node: Node, resolver: Resolver): readonly Node[] {
  if (!resolver.lacksAny) return [];
  const owners = new Set<Node>();
  for (const target of targets) {
    const owner = resolver.lackingOwner(target);
    if (owner !== undefined && owner !== node) owners.add(owner);
  }
  return [...owners];
}

/** The same of all that is sent. */
export function lackingIn(sent: JsonObject, node: Node, resolver: Resolver): readonly Node[] {
  return resolver.lacksAny ? lackingAmong(referenced(sent, ["urn"]), node, resolver) : [];
}

/** What waits, and for whom. */
export function withLacking(pending: ReadonlySet<string>, owners: readonly Node[]): ReadonlySet<string> {
  return owners.length === 0 ? pending : new Set([...pending, ...owners.map(({ urn }) => urn)]);
}

/** A patch that names such parts as what is still to come: they have other keys once they are there again. */
export function asToCome(patch: JsonObject, node: Node, resolver: Resolver): JsonObject {
  return walk(patch, (form, value) => {
    const isLacking = form === "urn" && (resolver.lackingOwner(value) ?? node) !== node;
    const source = isLacking ? resolver.lackingPart(value) : undefined;
    return source === undefined ? value : marker(source);
  });
}

/** Nobody brings back what the plan does not select. */
export function lackingStop(owners: readonly Node[]): Pick<Stop, "reason" | "suggestion"> | undefined {
  const owner = owners.find(({ selected }) => !selected);
  if (owner === undefined) return undefined;
  return {
    reason: `it leads to a part of ${owner.kind.name} "${owner.name}" that somebody has taken out at the target`,
    suggestion: `Once ${owner.kind.name} "${owner.name}" has it again (select it, or put it in by hand), run again.`,
  };
}
