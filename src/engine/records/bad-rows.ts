import { plural } from "../../model/plural.ts";
import type { Trouble } from "../../kinds/trouble.ts";
import type { TableDiff } from "./tally.ts";

/** So many of these rows may be bad under `limits.badRows`, a share of them. */
export function mostBad(share: number, rows: number): number {
  // A share is written in decimals, and what is multiplied lies a hair beside: 29 % of 100 are 28.999999999999996.
  return share >= 1 ? Infinity : Math.floor(share * rows + 1e-9);
}

/** Those that were to be sent and cannot be: what only the target has is no mistake in the source's rows. */
export function badOf({ counts, blameless }: Pick<TableDiff, "counts" | "blameless">): number {
  return counts.blocked - blameless;
}

/** As people write it. */
export function percent(share: number): string {
  return `${Number((100 * share).toFixed(6))}%`;
}

/** More rows are refused than the plan puts up with: nothing more is sent. */
export function tooManyRefused(count: number, table: string): Trouble {
  const rows = `${plural(count, "row")} of ${table} ${count === 1 ? "was" : "were"}`;
  const reason = `${rows} refused, more than limits.badRows allows`;
  return { state: "refused", pointers: [], notOffered: false, absent: false, reason };
}
