import type { EntityKind } from "../../kinds/kind.ts";
import { keyPartsText, naturalKeyText } from "../facets/natural-key.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import { translate } from "../../model/translate.ts";
import { isUrn } from "../../model/urn.ts";
import type { DiffInput } from "./input.ts";
import type { Node, Nodes } from "./node.ts";
import type { Resolver } from "./resolver.ts";

/** Source objects that want a twin, and the target's unclaimed objects of the same natural key. */
export interface Namesakes {
  readonly kind: EntityKind;
  readonly nodes: readonly Node[];
  readonly candidates: readonly string[];
}

/** The objects of a kind that want a twin, by natural key, where the target has any of the same. */
export function namesakes(
  kind: EntityKind,
  wants: (node: Node) => boolean,
  input: DiffInput,
  nodes: Nodes,
  resolver: Resolver,
): readonly Namesakes[] {
  const open: Node[] = [];
  const taken = new Set<string>();
  for (const node of nodes.all) {
    if (node.kind !== kind) continue;
    if (wants(node)) open.push(node);
    if (node.standing === "candidate" && node.target !== undefined) taken.add(node.target);
  }
  if (open.length === 0) return [];
  const free = new Map<string, string[]>();
  for (const { urn, body } of input.target.snapshot.stream(kind.name)) {
    if (taken.has(urn) || input.mapping.claim(kind.name, urn) !== undefined) continue;
    push(free, naturalKeyText(kind, body), urn);
  }
  if (free.size === 0) return [];
  const wanting = new Map<string, Node[]>();
  for (const node of open) {
    const key = translateKey(kind, input.source.body(kind.name, node.urn), resolver);
    if (key !== undefined && free.has(key)) push(wanting, key, node);
  }
  return [...wanting].map(([key, group]) => ({ kind, nodes: group, candidates: free.get(key) ?? [] }));
}

/** The natural key of a body of the source as it is at the target; undefined while that is not known. */
export function translateKey(kind: EntityKind, body: JsonObject, resolver: Resolver): string | undefined {
  const parts: Json[] = [];
  for (const part of kind.naturalKey(body)) {
    if (isUrn(part)) {
      const resolution = resolver.urn(part);
      if (resolution.state !== "target") return undefined;
      parts.push(resolution.urn);
    } else if (isObject(part)) {
      // What has no name is known by all that it says, references included.
      const { tree, pending, unresolved } = translate(part, resolver.lookup({}));
      if (pending.size > 0 || unresolved.length > 0) return undefined;
      parts.push(tree);
    } else parts.push(part);
  }
  return keyPartsText(kind, parts);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
