import type { JsonObject } from "../../model/json.ts";
import { referenced } from "../../model/walk.ts";
import type { Node, Stop } from "./node.ts";
import type { Resolver } from "./resolver.ts";

/**
 * Owners of parts that something leads to at the target and that are not there: somebody has taken the input out of the rule. The
 * service refuses what names them. What is new waits for the change that brings them back, and for a person where there is none.
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

/** What is there already names parts by the keys that they had: those that they get are known to the run after. */
export function lackingStop([owner]: readonly Node[]): Pick<Stop, "reason" | "suggestion"> | undefined {
  if (owner === undefined) return undefined;
  return {
    reason: `it leads to a part of ${owner.kind.name} "${owner.name}" that somebody has taken out at the target`,
    suggestion: `Once ${owner.kind.name} "${owner.name}" has it again, which may be in this very run, run again.`,
  };
}
