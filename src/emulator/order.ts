import { firstAfter, type Row } from "./collection.ts";

export type SortValue = string | number | boolean | null;

/** A place in an order: between rows, so that it stays right when the row it came from is gone. */
export interface Position {
  readonly seq: number;
  readonly values: readonly SortValue[];
}

export interface Order<T> {
  readonly name: string;
  readonly terms: readonly { readonly get: (value: T) => SortValue; readonly sign: 1 | -1 }[];
}

export function valuesOf<T>(row: Row<T>, order: Order<T>): SortValue[] {
  return order.terms.map((term) => term.get(row.value));
}

export function compareRows<T>(left: Row<T>, right: Row<T>, order: Order<T>): number {
  return comparePosition({ seq: left.seq, values: valuesOf(left, order) }, right, order);
}

function comparePosition<T>(left: Position, right: Row<T>, order: Order<T>): number {
  for (const [index, term] of order.terms.entries()) {
    const found = compareValues(left.values[index] ?? null, term.get(right.value));
    if (found !== 0) return found * term.sign;
  }
  return left.seq - right.seq;
}

function compareValues(left: SortValue, right: SortValue): number {
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  return left < right ? -1 : 1;
}

/** Where the page after (or, inclusive, before) a position starts, by binary search. */
export function indexAfter<T>(
  rows: readonly Row<T>[],
  position: Position,
  order: Order<T>,
  inclusive = false,
): number {
  if (position.seq === 0) return 0;
  if (order.terms.length === 0) return firstAfter(rows, inclusive ? position.seq - 1 : position.seq);
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    const found = row === undefined ? -1 : comparePosition(position, row, order);
    if (found < 0 || (inclusive && found === 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
