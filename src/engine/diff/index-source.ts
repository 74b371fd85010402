import { keyText } from "../../model/key.ts";
import { select } from "../read/selection.ts";
import { SourceIndex } from "../read/source-index.ts";
import { heldBack } from "./held.ts";
import { tooDeep } from "./too-deep.ts";
import type { DiffInput } from "./input.ts";
import type { Nodes } from "./node.ts";
import { Node, stop } from "./node.ts";
import { liesOver } from "../facets/standing.ts";

/** From the index of the source: which objects there are, which are selected and why, and where each one stands. */
export function indexSource(input: DiffInput): Nodes {
  const { registry, source, mapping } = input;
  const kinds = registry.moved().filter((kind) => source.kinds().includes(kind.name));
  const index = input.index?.fits(registry) === true ? input.index : SourceIndex.of(registry, source);
  const objects = kinds.flatMap(({ name }) => index.rows(name));

  const { why } = select(objects, input.plan.select);
  const all: Node[] = [];
  const named = new Map<string, Node>();
  for (const { urn, name, kind: kindName, references, isPlain } of objects) {
    const kind = kinds.find((candidate) => candidate.name === kindName);
    if (kind === undefined) continue;
    const key = keyText(kindName, urn);
    const plain = isPlain ? references : undefined;
    const [selected, pulledInBy] = [why.has(key), why.get(key)];
    const node = new Node({ kind, urn, name, selected, pulledInBy, plain }, mapping);
    all.push(node);
    if (registry.owns(kindName)) named.set(urn, node);
    if (!liesOver(kind)) place(node, input);
    const byHand = index.byHand.get(key);
    const hand = tooDeep("source", index.tooDeep.get(key)) ?? (byHand && { action: "manual", ...byHand });
    if (hand !== undefined && node.selected) stop(node, hand);
    const held = heldBack(input, kindName, urn);
    if (held !== undefined) stop(node, held);
  }
  index.drop();
  let byKey: ReadonlyMap<string, Node> | undefined;
  const find = (key: string): Node | undefined => {
    byKey ??= new Map(all.map((node) => [node.key, node]));
    return byKey.get(key);
  };
  return { all, find, named, owners: index.owners };
}

/** Where what stands alone stands; what lies over something has its place when that one's is known. */
function place(node: Node, { target }: DiffInput): void {
  if (node.target === undefined) return;
  node.standing = target.snapshot.has(node.kind.name, node.target) ? "mapped" : "missing";
}
