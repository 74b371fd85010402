import { TextNumbers } from "../../model/packed/numbers.ts";
import { plural } from "../../model/plural.ts";
import type { Item } from "../item.ts";
import { personStates } from "../states.ts";
import type { Graph, GraphEdge, GraphNode } from "./payload.ts";
import type { Column } from "./route.ts";
import { nodeHeight, nodeWidth, route, rowGap, top } from "./route.ts";

const columnGap = 96;
const margin = 14;
/** Beyond this nobody can follow single lines. */
const mostNodes = 60;

interface Draft {
  readonly key: number;
  readonly kind: string;
  readonly text: string;
  readonly state: string;
  readonly at?: number;
}

type Pair = readonly [from: number, to: number];
interface Counted {
  readonly pair: Pair;
  readonly count: number;
}

/** A layered picture: kinds are columns, what is depended upon is left of what needs it. */
export function graphOf(items: readonly Item[], kinds: readonly string[]): Graph {
  const at = new TextNumbers();
  for (const [index, { id }] of items.entries()) at.set(id, index);
  const pairs: Pair[] = [];
  for (const [to, { dependsOn }] of items.entries()) {
    for (const id of dependsOn) {
      const from = at.get(id);
      if (from !== undefined) pairs.push([from, to]);
    }
  }
  const linked = new Set(pairs.flat());
  const counts = { alone: 0, aloneWaiting: 0 };
  for (const [index, item] of items.entries()) {
    if (linked.has(index)) continue;
    counts.alone += 1;
    if (isNoChange(item)) counts.aloneWaiting += 1;
  }
  if (linked.size > mostNodes) return { ...collapse(items, kinds, pairs), ...counts };
  const drafts = [...linked]
    .toSorted((a, b) => a - b)
    .flatMap((index): readonly Draft[] => {
      const item = items[index];
      if (item === undefined) return [];
      return [{ key: index, kind: item.kind, text: item.name, state: item.state, at: index }];
    });
  return { ...layout(drafts, kinds, count(pairs)), collapsed: false, ...counts };
}

/** It waits for a person, or is known to stay as it is: nothing is made of it. */
function isNoChange({ state }: Item): boolean {
  return state === "acknowledged" || personStates.includes(state);
}

/** `50 changes, 2 waiting`. */
function sizeOf(items: Iterable<Item>): string {
  let changes = 0;
  let waiting = 0;
  for (const item of items) {
    if (isNoChange(item)) waiting += 1;
    else changes += 1;
  }
  const told = plural(changes, "change");
  if (waiting === 0) return told;
  const others = `${waiting.toLocaleString("en")} waiting`;
  return changes === 0 ? others : `${told}, ${others}`;
}

function collapse(
  items: readonly Item[],
  kinds: readonly string[],
  pairs: readonly Pair[],
): Omit<Graph, "alone" | "aloneWaiting"> {
  const key = (index: number): number => kinds.indexOf(items[index]?.kind ?? "");
  const drafts = kinds.map((kind, index) => {
    const text = sizeOf(items.values().filter((item) => item.kind === kind));
    return { key: index, kind, text, state: "kind" };
  });
  const between = pairs.map(([from, to]): Pair => [key(from), key(to)]);
  return { ...layout(drafts, kinds, count(between)), collapsed: true };
}

function count(pairs: readonly Pair[]): ReadonlyMap<string, Counted> {
  const counted = new Map<string, Counted>();
  for (const pair of pairs) {
    const id = pair.join(">");
    counted.set(id, { pair, count: (counted.get(id)?.count ?? 0) + 1 });
  }
  return counted;
}

function layout(
  drafts: readonly Draft[],
  kinds: readonly string[],
  counted: ReadonlyMap<string, Counted>,
): Omit<Graph, "alone" | "aloneWaiting" | "collapsed"> {
  const present = kinds.filter((kind) => drafts.some((draft) => draft.kind === kind));
  const pairs = [...counted.values()];
  const rows = new Map<number, number>();
  const nodes = present.flatMap((kind, column) => {
    const own = drafts.filter((draft) => draft.kind === kind);
    const keys = new Set(own.map((draft) => draft.key));
    const heights = new Map(own.map((draft) => [draft, averageRow(draft, pairs, rows, keys)]));
    const sorted = own.toSorted((a, b) => (heights.get(a) ?? 0) - (heights.get(b) ?? 0));
    return sorted.map((draft, row): GraphNode => {
      rows.set(draft.key, row);
      return Object.assign({ x: columnX(column), y: top + row * (nodeHeight + rowGap) }, draft);
    });
  });
  const placed = new Map(nodes.map((node) => [node.key, node]));
  const stacks = present.map((kind, column): Column => {
    return { x: columnX(column), rows: drafts.filter((draft) => draft.kind === kind).length };
  });
  return {
    width: columnX(present.length) - columnGap + margin * 3,
    height: Math.max(0, ...nodes.map((node) => node.y)) + nodeHeight + margin,
    node: { width: nodeWidth, height: nodeHeight },
    columns: present.map((kind, column) => ({ kind, x: columnX(column) })),
    nodes,
    edges: pairs.flatMap((edge, number) => drawn(edge, placed, stacks, number)),
  };
}

function columnX(column: number): number {
  return margin * 2 + column * (nodeWidth + columnGap);
}

/**
 * Where the neighbours that are already placed stand: keeps lines short and crossings few. Without such a
 * neighbour, what leads to another column stays on top.
 */
function averageRow(
  draft: Draft,
  pairs: readonly Counted[],
  rows: ReadonlyMap<number, number>,
  own: ReadonlySet<number>,
): number {
  const found = pairs.flatMap(({ pair: [from, to] }) => {
    const row = to === draft.key ? rows.get(from) : undefined;
    return row === undefined ? [] : [row];
  });
  if (found.length > 0) return found.reduce((sum, row) => sum + row, 0) / found.length;
  const leads = pairs.some(({ pair: [from, to] }) => from === draft.key && !own.has(to));
  return leads ? rows.size : Number.MAX_SAFE_INTEGER;
}

function drawn(
  { pair: [from, to], count }: Counted,
  placed: ReadonlyMap<number, GraphNode>,
  stacks: readonly Column[],
  number: number,
): readonly GraphEdge[] {
  const [a, b] = [placed.get(from), placed.get(to)];
  if (a === undefined || b === undefined) return [];
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const between = stacks.filter(({ x }) => x > left && x < right);
  const d = route(a, b, a.x < b.x ? between : between.toReversed(), number);
  return [{ from, to, count, d }];
}
