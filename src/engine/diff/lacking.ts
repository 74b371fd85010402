import type { JsonObject } from "../../model/json.ts";
import { markedIn, marker } from "../../model/translate.ts";
import { referenced, walk } from "../../model/walk.ts";
import type { Node, Stop } from "./node.ts";
import type { Resolver } from "./resolver.ts";

interface Lacking {
  readonly owner: Node;
  /** Nothing that this run does brings it there: it was taken out, or never had; undefined where it may come. */
  readonly away: "taken out" | "never had" | undefined;
}

/**
 * Owners of parts that something leads to at the target and that are not there: somebody has taken the input out of the rule. The
 * service refuses what names them. It waits for the change that brings them back, and for a person where there is none.
 */
export function lackingAmong(targets: Iterable<string>, node: Node, resolver: Resolver): readonly Lacking[] {
  if (!resolver.lacksAny) return [];
  const owners = new Map<Node, Lacking["away"]>();
  for (const target of targets) {
    const owner = resolver.lackingOwner(target);
    if (owner === undefined || owner === node) continue;
    const stays = !owner.selected || resolver.ownerWithout(resolver.lackingPart(target) ?? "") !== undefined;
    owners.set(owner, stays ? "taken out" : owners.get(owner));
  }
  return Array.from(owners, ([owner, away]) => ({ owner, away }));
}

/** The same of all that is sent; of what is pending, too, that waits for what does not come. */
export function lackingIn(
  sent: JsonObject,
  node: Node,
  resolver: Resolver,
  pending: ReadonlySet<string>,
): readonly Lacking[] {
  const lacking = resolver.lacksAny ? lackingAmong(referenced(sent, ["urn"]), node, resolver) : [];
  if (!resolver.isSettled(pending)) return lacking;
  const owners = new Set(markedIn(sent).flatMap((part) => resolver.ownerWithout(part) ?? []));
  owners.delete(node);
  return [...lacking, ...Array.from(owners, (owner): Lacking => ({ owner, away: "never had" }))];
}

/** What waits, and for whom. */
export function withLacking(pending: ReadonlySet<string>, lacking: readonly Lacking[]): ReadonlySet<string> {
  return lacking.length === 0 ? pending : new Set([...pending, ...lacking.map(({ owner }) => owner.urn)]);
}

/** A patch that names such parts as what is still to come: they have other keys once they are there again. */
export function asToCome(patch: JsonObject, node: Node, resolver: Resolver): JsonObject {
  return walk(patch, (form, value) => {
    const isLacking = form === "urn" && (resolver.lackingOwner(value) ?? node) !== node;
    const source = isLacking ? resolver.lackingPart(value) : undefined;
    return source === undefined ? value : marker(source);
  });
}

/** Nobody brings what the plan does not select, or what is to stay as it is at the target. */
export function lackingStop(lacking: readonly Lacking[]): Pick<Stop, "reason" | "suggestion"> | undefined {
  const found = lacking.find(({ away }) => away !== undefined);
  if (found === undefined) return undefined;
  const { kind, name, selected } = found.owner;
  const [what, again] =
    found.away === "taken out"
      ? ["that somebody has taken out at the target", " again"]
      : ["that the one at the target does not have, and does not get", ""];
  return {
    reason: `it leads to a part of ${kind.name} "${name}" ${what}`,
    suggestion: `Once ${kind.name} "${name}" has it${again} (${selected ? "" : "select it, or "}put it in by hand), run again.`,
  };
}
