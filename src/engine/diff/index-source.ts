import { keyText } from "../../model/key.ts";
import { once } from "../../model/once.ts";
import { TextNumbers } from "../../model/packed/numbers.ts";
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
  const objects = index.rows(kinds.map(({ name }) => name));
  const { why } = select(objects, input.plan.select);
  const all: Node[] = [];
  const named = new TextNumbers();
  const { table } = objects;
  const { overlays } = input.target;
  const shared = new Map(kinds.map((kind) => [kind.name, { kind, rows: table, mapping, overlays }]));
  for (const { urn, kind: kindName, number } of objects) {
    const of = shared.get(kindName);
    if (of === undefined) continue;
    const { kind } = of;
    const key = keyText(kindName, urn);
    const node = new Node(of, number, { selected: why.has(key), pulledInBy: why.get(key) });
    if (registry.owns(kindName)) named.set(urn, all.length);
    all.push(node);
    if (!liesOver(kind)) place(node, input);
    const byHand = index.byHand.get(key);
    const hand = tooDeep("source", index.tooDeep.get(key)) ?? (byHand && { action: "manual", ...byHand });
    if (hand !== undefined && node.selected) stop(node, hand);
    const held = heldBack(input, kindName, urn);
    if (held !== undefined) stop(node, held);
  }
  const byKey = once(() => {
    const numbers = new TextNumbers();
    for (const [number, node] of all.entries()) numbers.set(node.key, number);
    return numbers;
  });
  return {
    all,
    find: (key) => all[byKey().get(key) ?? -1],
    named: {
      get: (urn) => all[named.get(urn) ?? -1],
      has: (urn) => named.get(urn) !== undefined,
      *keys(): Generator<string, undefined> {
        for (const node of all) if (registry.owns(node.kind.name)) yield node.urn;
      },
    },
    owners: index.owners,
    done() {
      index.drop();
    },
  };
}

/** Where what stands alone stands; what lies over something has its place when that one's is known. */
function place(node: Node, { target }: DiffInput): void {
  if (node.target === undefined) return;
  node.standing = target.snapshot.has(node.kind.name, node.target) ? "mapped" : "missing";
}
