import { TextNumbers } from "../../model/packed/numbers.ts";
import type { Item } from "../item.ts";
import type { Graph, GraphEdge, GraphNode } from "./payload.ts";

const nodeWidth = 190;
const nodeHeight = 28;
const columnGap = 96;
const rowGap = 10;
const top = 34;
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
  const pairs = items.flatMap((item, to): readonly Pair[] =>
    item.dependsOn.flatMap((id): readonly Pair[] => {
      const from = at.get(id);
      return from === undefined ? [] : [[from, to]];
    }),
  );
  const linked = new Set(pairs.flat());
  const alone = items.length - linked.size;
  if (linked.size > mostNodes) return { ...collapse(items, kinds, pairs), alone };
  const drafts = items.flatMap((item, index): readonly Draft[] => {
    const draft = { key: index, kind: item.kind, text: item.name, state: item.state, at: index };
    return linked.has(index) ? [draft] : [];
  });
  return { ...layout(drafts, kinds, count(pairs)), collapsed: false, alone };
}

function collapse(
  items: readonly Item[],
  kinds: readonly string[],
  pairs: readonly Pair[],
): Omit<Graph, "alone"> {
  const key = (index: number): number => kinds.indexOf(items[index]?.kind ?? "");
  const drafts = kinds.map((kind, index) => {
    const number = items.filter((item) => item.kind === kind).length;
    return {
      key: index,
      kind,
      text: number === 1 ? "1 change" : `${number.toLocaleString("en")} changes`,
      state: "kind",
    };
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
): Omit<Graph, "alone" | "collapsed"> {
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
  return {
    width: columnX(present.length) - columnGap + margin * 3,
    height: Math.max(0, ...nodes.map((node) => node.y)) + nodeHeight + margin,
    node: { width: nodeWidth, height: nodeHeight },
    columns: present.map((kind, column) => ({ kind, x: columnX(column) })),
    nodes,
    edges: pairs.flatMap((edge) => drawn(edge, placed)),
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
): readonly GraphEdge[] {
  const [a, b] = [placed.get(from), placed.get(to)];
  return a === undefined || b === undefined ? [] : [{ from, to, count, d: curve(a, b) }];
}

/** Straight across between columns; around the left side within a column, or back to an earlier one. */
function curve(a: GraphNode, b: GraphNode): string {
  const [y1, y2] = [a.y + nodeHeight / 2, b.y + nodeHeight / 2];
  if (b.x > a.x) {
    const middle = (a.x + nodeWidth + b.x) / 2;
    return `M${a.x + nodeWidth} ${y1}C${middle} ${y1} ${middle} ${y2} ${b.x - 5} ${y2}`;
  }
  if (a === b) return `M${a.x} ${y1 - 6}C${a.x - 26} ${y1 - 14} ${a.x - 26} ${y1 + 14} ${a.x - 4} ${y1 + 6}`;
  const left = Math.min(a.x, b.x) - 22;
  return `M${a.x} ${y1}C${left} ${y1} ${left} ${y2} ${b.x - 5} ${y2}`;
}
