import { digest } from "../../model/canonical.ts";
import type { Change } from "../../model/change.ts";
import { isArray, own, text } from "../../model/json.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Done } from "../../engine/records/known-from-logs.ts";
import { doneIn } from "../../engine/records/known-from-logs.ts";
import { partWritten } from "../../model/row-print.ts";
import type { RowPrint } from "../../model/row-print.ts";
import type { KnownRows, Lease, SortedPrints } from "../../store/index.ts";
import { display } from "../../model/display.ts";
import type { Migration } from "../migration.ts";

/** Rows that are named; of the others the number is told. */
const mostNamed = 5;
const nothingThere = "0".repeat(16);
const gone = "d".repeat(16);
/** Of a row of which it is not known how it was left. */
const begun = "b".repeat(16);
/** Of a row that was never brought to its end: what of it was written the run has found before it compared, and whoever else has been there. */
const sent = "c".repeat(16);
/** Of a row that another run has written since, or none. */
const otherRun = "e".repeat(16);

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
      for await (const lines of store.work.readRows(table)) {
        for (const line of lines) {
          const print = printIn(line);
          if (print !== undefined) await prints.add(print);
        }
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
    const touched = await touchedBy(migration, table, runs);
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
  pages: AsyncIterable<readonly JsonObject[]>,
  approved: KnownRows,
  touched: SortedPrints,
): Promise<string | undefined> {
  const named: string[] = [];
  let count = 0;
  for await (const lines of pages) {
    for (const line of lines) {
      const why = otherIn(line, approved, touched);
      if (why === undefined) continue;
      count += 1;
      if (named.length < mostNamed) named.push(`the row ${display(text(line, "name") ?? "")}: ${why}`);
    }
  }
  if (count === 0) return undefined;
  return `${named.join("; ")}${count > mostNamed ? `; and ${count - mostNamed} more` : ""}`;
}

function otherIn(line: JsonObject, approved: KnownRows, touched: SortedPrints): string | undefined {
  const now = printIn(line);
  if (now === undefined) return leftIn(line, approved, touched);
  const was = approved.get(now.key);
  if (was === undefined) return "it was not among those that were approved";
  if (was.source !== now.source) return "the source says otherwise than was approved";
  const left = touched.get(now.key)?.target ?? otherRun;
  const isAsApproved = left === otherRun || left === sent;
  const isMeant = left === begun || now.target === (isAsApproved ? was.target : left);
  if (isMeant) return undefined;
  // What was done of it as approved, and is not so any more, is somebody's word, whatever the policy says of that.
  return theirs(now.target === nothingThere);
}

/** Of what is not written now: it was to be, was begun, and is not brought to its end since it is somebody's word by now. */
function leftIn(line: JsonObject, approved: KnownRows, touched: SortedPrints): string | undefined {
  const [action, key = ""] = [text(line, "action"), text(line, "key")];
  const isTold = action === "drift" || action === "conflict";
  if (!isTold || approved.get(key) === undefined || touched.get(key)?.target !== sent) return undefined;
  return theirs(own(line, "before") === undefined);
}

function theirs(isRemoved: boolean): string {
  return `somebody has ${isRemoved ? "removed" : "changed"} it at the target since`;
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

/** The rows that runs have begun to write: of these runs as what they have left each, where they have brought it to its end. */
async function touchedBy(
  { store }: Migration,
  table: string,
  runs: ReadonlySet<string>,
): Promise<SortedPrints> {
  const said = await store.work.sortPrints();
  const touched = await store.work.sortPrints();
  try {
    for (const log of await store.state.rowLogs()) {
      if (log.table !== table) continue;
      const isOurs = runs.has(log.run);
      for await (const record of log.records())
        if (record.type === "rows")
          for (const { key } of record.rows)
            await said.add({ key, source: gone, target: isOurs ? sent : otherRun });
      for await (const done of doneIn([log]))
        await said.add({
          key: done.intent.key,
          source: gone,
          // A rollback, say: what counts then is what was approved.
          target: isOurs ? leftBy(done) : otherRun,
        });
    }
    const words = await said.finish();
    try {
      for (const word of lastOfEach(words)) await touched.add(word);
    } finally {
      words.close();
    }
    return await touched.finish();
  } finally {
    await said.abandon();
    await touched.abandon();
  }
}

/** Of several words about a row, which come in the order in which they were said. */
function* lastOfEach(words: Iterable<RowPrint>): Generator<RowPrint, void, undefined> {
  let last: RowPrint | undefined;
  for (const word of words) {
    const isSame = last?.key === word.key;
    if (last !== undefined && !isSame) yield last;
    // Of what was written before, and begun once more, it is not known how it was left.
    const isAgain = isSame && word.target === sent && last?.target !== sent && last?.target !== otherRun;
    last = isAgain ? { ...word, target: begun } : word;
  }
  if (last !== undefined) yield last;
}

/** How a row stands at the target that came to its end; of one that was written in part nobody knows that. */
function leftBy({ intent: { action, print }, isShort, shown }: Done): string {
  if (action === "delete") return nothingThere;
  return isShort || print === undefined || print[0] === partWritten ? begun : (shown ?? print[0]);
}
