import type { Change } from "../../model/change.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { numberOf } from "../../model/packed/change-list.ts";

/** Fewer may well have been removed, or made anew, one by one. */
const fewest = 5;
const mostNamed = 5;

/** What is gone of what was moved, where that is most of it. */
export function mostGone(
  changes: readonly Change[],
  mapping: Pick<MappingTable, "get">,
  isGone: (change: Change) => boolean,
): { readonly gone: readonly Change[]; readonly mapped: number } | undefined {
  const isMapped = ({ kind, source }: Change): boolean => mapping.get(kind, source?.urn ?? "") !== undefined;
  // Of nearly all that a row would have to be looked up for, nothing is gone.
  const gone = changes.filter((change) => isGone(change) && isMapped(change));
  if (gone.length < fewest) return undefined;
  const mapped = numberOf(changes, isMapped);
  return gone.length * 2 > mapped ? { gone, mapped } : undefined;
}

export function counted(count: number): string {
  return count.toLocaleString("en");
}

/** A few by name. */
export function namedOf(changes: readonly Change[]): string {
  const named = changes.slice(0, mostNamed).map(({ kind, source }) => `${kind} "${source?.name ?? ""}"`);
  const more = changes.length > named.length ? [`and ${counted(changes.length - named.length)} more`] : [];
  return [...named, ...more].join(", ");
}
