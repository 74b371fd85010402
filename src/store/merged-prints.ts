import type { RowPrint } from "../model/row-print.ts";
import { forgotten } from "../model/row-print.ts";

/** What changed takes its place among what stays; both come in order. */
export function* mergedPrints(
  before: Iterable<RowPrint>,
  changes: Iterable<RowPrint>,
): Generator<RowPrint, void, undefined> {
  const old = before[Symbol.iterator]();
  let head = old.next();
  let last: RowPrint | undefined;
  for (const change of changes) {
    // Of several words about a row the last one counts.
    if (last !== undefined && last.key !== change.key && last.source !== forgotten) yield last;
    for (; head.done !== true && head.value.key < change.key; head = old.next()) yield head.value;
    if (head.done !== true && head.value.key === change.key) head = old.next();
    last = change;
  }
  if (last !== undefined && last.source !== forgotten) yield last;
  for (; head.done !== true; head = old.next()) yield head.value;
}
