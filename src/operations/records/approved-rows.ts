import { digest } from "../../model/canonical.ts";
import type { Change } from "../../model/change.ts";
import { isArray, own, text } from "../../model/json.ts";
import type { JsonObject } from "../../model/json.ts";
import type { RowPrint } from "../../model/row-print.ts";
import type { KnownRows, Lease, SortedPrints } from "../../store/index.ts";
import { display } from "../../model/display.ts";
import type { Migration } from "../migration.ts";

/** Rows that are named; of the others the number is told. */
const mostNamed = 5;
const nothingThere = "0".repeat(16);
const gone = "d".repeat(16);

/** Names what was approved of a table; no table is called so. */
function approvedOf(table: string): string {
  return `${table}--approved`;
}

function tableIn({ id, kind }: Change): string {
  return id.slice(kind.length + 1);
}

/**
 * The rows of an approved diff, two prints each, before the first of them is written: a run that goes on with it later
 * compares against rows of which some are done.
 */
export async function keepApprovedRows(
  { store }: Migration,
  lease: Lease,
  approved: readonly Change[],
): Promise<void> {
  for (const change of approved) {
    if (change.records === undefined) continue;
    const table = tableIn(change);
    const prints = await store.work.sortPrints();
    try {
      for await (const line of store.work.readRows(table)) {
        const print = printIn(line);
        if (print !== undefined) await prints.add(print);
      }
      const sorted = await prints.finish();
      await store.state.saveKnownRows(lease, approvedOf(table), change.records.digest, sorted);
      sorted.close();
    } finally {
      await prints.abandon();
    }
  }
}

/**
 * By change: why the rows that are left are not those that were approved. What runs of the same diff have begun may stand
 * otherwise at the target by now.
 */
export async function otherThanApproved(
  migration: Migration,
  approved: readonly Change[],
  runs: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const { store } = migration;
  const found = new Map<string, string>();
  for (const change of approved) {
    if (change.records === undefined) continue;
    const table = tableIn(change);
    const known = await store.state.knownRows(approvedOf(table));
    const touched = await keysOf(migration, table, runs);
    try {
      const why =
        known?.sense === change.records.digest
          ? await others(store.work.readRows(table), known, touched)
          : "which of its rows were approved is not known here any more";
      if (why !== undefined) found.set(change.id, why);
    } finally {
      known?.close();
      touched.close();
    }
  }
  return found;
}

async function others(
  lines: AsyncIterable<JsonObject>,
  approved: KnownRows,
  touched: SortedPrints,
): Promise<string | undefined> {
  const named: string[] = [];
  let count = 0;
  for await (const line of lines) {
    const why = otherIn(line, approved, touched);
    if (why === undefined) continue;
    count += 1;
    if (named.length < mostNamed) named.push(`the row ${display(text(line, "name") ?? "")}: ${why}`);
  }
  if (count === 0) return undefined;
  return `${named.join("; ")}${count > mostNamed ? `; and ${count - mostNamed} more` : ""}`;
}

function otherIn(line: JsonObject, approved: KnownRows, touched: SortedPrints): string | undefined {
  const now = printIn(line);
  if (now === undefined) return undefined;
  const was = approved.get(now.key);
  if (was === undefined) return "it was not among those that were approved";
  if (was.source !== now.source) return "the source says otherwise than was approved";
  if (was.target === now.target || touched.get(now.key) !== undefined) return undefined;
  return "somebody has changed it at the target since";
}

/** Undefined for what is not written. */
function printIn(line: JsonObject): RowPrint | undefined {
  const [action, key, print] = [text(line, "action"), text(line, "key"), own(line, "print")];
  if (key === undefined) return undefined;
  if (action === "delete")
    return { key, source: gone, target: digest(JSON.stringify(own(line, "before") ?? null)).slice(0, 16) };
  if (action !== "create" && action !== "update") return undefined;
  const [source, target] = isArray(print) ? print : [];
  if (typeof source !== "string" || typeof target !== "string") return undefined;
  return { key, source, target: action === "create" ? nothingThere : target };
}

/** What these runs have begun to write. */
async function keysOf({ store }: Migration, table: string, runs: ReadonlySet<string>): Promise<SortedPrints> {
  const keys = await store.work.sortPrints();
  try {
    for (const log of await store.state.rowLogs()) {
      if (log.table !== table || !runs.has(log.run)) continue;
      for await (const record of log.records())
        if (record.type === "rows")
          for (const { key } of record.rows) await keys.add({ key, source: gone, target: gone });
    }
    return await keys.finish();
  } finally {
    await keys.abandon();
  }
}
