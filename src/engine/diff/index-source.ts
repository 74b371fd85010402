import { keyText } from "../../model/key.ts";
import { strip } from "../../model/shape.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { urnType } from "../../model/urn.ts";
import { referenced } from "../../model/walk.ts";
import type { Selectable } from "../read/selection.ts";
import { select } from "../read/selection.ts";
import { heldBack } from "./held.ts";
import { tooDeep } from "./too-deep.ts";
import type { DiffInput } from "./input.ts";
import type { Node, Nodes } from "./node.ts";
import { stop } from "./node.ts";
import { liesOver } from "../facets/standing.ts";

/** One for all that have none: there may be hundreds of thousands. */
const noKeys: Node["keys"] = {};
const noCandidates: Node["candidates"] = [];

/** Reads the snapshot once: which objects there are, which are selected and why, and where each one stands. */
export function indexSource(input: DiffInput): Nodes {
  const { registry, source, mapping } = input;
  const kinds = registry.moved().filter((kind) => source.kinds().includes(kind.name));
  const objects: Selectable[] = [];
  const owners = new Map<string, string>();
  const byHand = new Map<string, Parameters<typeof stop>[1]>();
  for (const kind of kinds) {
    for (const { urn, name, body, meta } of source.stream(kind.name)) {
      const refersTo = referenced(strip(body, kind.shape), ["urn"]).filter((value) =>
        registry.mayBeMoved(urnType(value) ?? ""),
      );
      objects.push({
        selectedAs: kind.selectedAs,
        kind: kind.name,
        owns: registry.owns(kind.name),
        urn,
        name,
        refersTo,
      });
      if (kind.ownsParts === true) for (const key of subEntityKeys(body)) owners.set(key, urn);
      const found = kind.byHand?.(body);
      if (found !== undefined) byHand.set(keyText(kind.name, urn), { action: "manual", ...found });
      const deep = tooDeep("source", meta);
      if (deep !== undefined) byHand.set(keyText(kind.name, urn), deep);
    }
  }

  const { why } = select(objects, input.plan.select);
  const all = new Map<string, Node>();
  const named = new Map<string, Node>();
  for (const { urn, name, kind: kindName } of objects) {
    const kind = kinds.find((candidate) => candidate.name === kindName);
    if (kind === undefined) continue;
    const entry = mapping.get(kindName, urn);
    const key = keyText(kindName, urn);
    const node: Node = {
      key,
      kind,
      urn,
      name,
      selected: why.has(key),
      pulledInBy: why.get(key),
      entry,
      standing: "new",
      target: entry?.target,
      keys: entry?.keys ?? noKeys,
      candidates: noCandidates,
      stop: undefined,
      replaced: false,
    };
    all.set(key, node);
    if (registry.owns(kindName)) named.set(urn, node);
    if (!liesOver(kind)) place(node, input);
    const hand = byHand.get(key);
    if (hand !== undefined && node.selected) stop(node, hand);
    const held = heldBack(input, kindName, urn);
    if (held !== undefined) stop(node, held);
  }
  return { all, named, owners };
}

/** Where what stands alone stands; what lies over something has its place when that one's is known. */
function place(node: Node, { target }: DiffInput): void {
  if (node.target === undefined) return;
  node.standing = target.snapshot.has(node.kind.name, node.target) ? "mapped" : "missing";
}
