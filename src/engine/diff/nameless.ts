import type { EntityKind } from "../../kinds/kind.ts";
import type { Json } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import { mapTexts } from "../../model/map-texts.ts";
import { translate } from "../../model/translate.ts";
import { isUrn, uuidOf } from "../../model/urn.ts";
import { keyPartsText } from "../facets/natural-key.ts";
import { mayBeNameless, standsAlone } from "../facets/standing.ts";
import type { DiffInput } from "./input.ts";
import type { Node, Nodes } from "./node.ts";
import { stop } from "./node.ts";
import type { Resolver } from "./resolver.ts";
import { settingOf } from "./setting.ts";

/** A private-use character: no key holds it otherwise. */
const gap = "\uE003";

/**
 * What has no name is known by all that it says, mentions in its texts included. A mention keeps nothing from being made: where it
 * leads to what a person has to tell apart first, nobody knows yet whether the target has it, and it would be made beside that.
 */
export function holdNameless(
  wants: (node: Node) => boolean,
  input: DiffInput,
  nodes: Nodes,
  resolver: Resolver,
): void {
  const undecided = new Map<string, Node>();
  for (const node of nodes.all)
    if (node.standing === "stopped" && node.candidates.length > 0) undecided.set(uuidOf(node.urn), node);
  if (undecided.size === 0) return;
  const there = new Map<EntityKind, ReadonlyMap<string, readonly string[]>>();
  for (const node of nodes.all) {
    const { kind } = node;
    if (!standsAlone(kind) || !mayBeNameless(kind) || !wants(node) || node.standing === "candidate") continue;
    const here = gappedHere(kind, node, undecided, input, resolver);
    if (here === undefined) continue;
    let free = there.get(kind);
    if (free === undefined) {
      free = gappedThere(kind, [...undecided.values()], input, nodes);
      there.set(kind, free);
    }
    const candidates = free.get(here.key);
    if (candidates === undefined) continue;
    node.candidates = candidates;
    const { owner } = here;
    stop(node, {
      action: "blocked",
      code: "ambiguous",
      reason: `it has no name, and what it says mentions ${owner.kind.name} "${owner.name}", which is ${owner.stop?.action ?? "blocked"}; the target has what may be it: ${candidates.join(", ")}`,
      suggestion: `Say first which one "${owner.name}" is, or which one this is: ${settingOf(node, "<target urn>", input)}`,
    });
  }
}

/** Its key with gaps for what is undecided; undefined where it mentions nothing such, or waits for something else. */
function gappedHere(
  kind: EntityKind,
  { urn }: Node,
  undecided: ReadonlyMap<string, Node>,
  input: DiffInput,
  resolver: Resolver,
): { readonly key: string; readonly owner: Node } | undefined {
  let owner: Node | undefined;
  let isOpen = false;
  const lookup = resolver.lookup({});
  const parts = kind.naturalKey(input.source.body(kind.name, urn)).map((part): Json => {
    if (isUrn(part)) {
      const found = resolver.urn(part);
      isOpen ||= found.state !== "target";
      return found.state === "target" ? found.urn : part;
    }
    if (!isObject(part)) return part;
    const { tree, pending, unresolved, loose } = translate(part, lookup);
    isOpen ||= pending.size > 0 || unresolved.length > 0;
    const ids = new Set<string>();
    for (const { form, value } of loose) {
      const node = form === "mention" ? undefined : undecided.get(uuidOf(value) || value);
      if (node !== undefined) ids.add(value);
      owner ??= node;
    }
    return mapTexts(tree, (text) => [...ids].reduce((result, id) => result.replaceAll(id, gap), text));
  });
  return isOpen || owner === undefined ? undefined : { key: keyPartsText(kind, parts), owner };
}

/** What is nobody's twin yet, by its key with gaps for what the undecided may be. */
function gappedThere(
  kind: EntityKind,
  undecided: readonly Node[],
  { target, mapping }: DiffInput,
  nodes: Nodes,
): ReadonlyMap<string, readonly string[]> {
  const ids = new Set(undecided.flatMap(({ candidates }) => candidates).flatMap((urn) => [urn, uuidOf(urn)]));
  const taken = new Set<string>();
  for (const node of nodes.all)
    if (node.kind === kind && node.standing === "candidate" && node.target !== undefined)
      taken.add(node.target);
  const found = new Map<string, string[]>();
  for (const { urn, body } of target.snapshot.stream(kind.name)) {
    if (taken.has(urn) || mapping.claim(kind.name, urn) !== undefined) continue;
    const put = (text: string): string => [...ids].reduce((rest, id) => rest.replaceAll(id, gap), text);
    const parts = kind.naturalKey(body).map((part): Json => (isObject(part) ? mapTexts(part, put) : part));
    const key = keyPartsText(kind, parts);
    found.set(key, [...(found.get(key) ?? []), urn]);
  }
  return found;
}
