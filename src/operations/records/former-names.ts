import type { RowsRecord } from "../../model/journal.ts";
import type { KnownRows, Lease, RowLog } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import { learned } from "./begun.ts";
import { rollbacksOf } from "./rollbacks.ts";
import type { Keeping } from "./known-senses.ts";
import type { OpenedTable } from "./tables.ts";
import { plannedTables } from "./tables.ts";

/**
 * What is known of the rows of this very table of the target under names that the plan, or somebody who renamed it, does not use any
 * more: without that a colleague's word on them would be nobody's. Undefined where its own names are known, or nothing fits.
 */
export async function knownUnderFormerNames(
  migration: Migration,
  opened: OpenedTable,
): Promise<KnownRows | undefined> {
  const [log] = await formerLogs(migration, opened);
  return log === undefined ? undefined : migration.store.state.knownRows(log.table);
}

/** Known under the names of today from now on, with what a killed run has brought to its end and not kept. */
export async function keepFormerNames(
  migration: Migration,
  lease: Lease,
  opened: OpenedTable,
  keeping: Keeping = migration,
): Promise<void> {
  const logs = await formerLogs(migration, opened);
  const [log] = logs;
  if (log === undefined) return;
  const { state } = keeping.store;
  const known = await state.knownRows(log.table);
  try {
    if (known !== undefined) await state.saveKnownRows(lease, opened.table.id, opened.table.sense, known);
  } finally {
    known?.close();
  }
  const killed = logs.filter(({ isOpen }) => isOpen);
  const rollbacks = killed.length === 0 ? new Set<string>() : await rollbacksOf(migration);
  for (const one of killed.toReversed())
    await learned(keeping, lease, opened.table, one, rollbacks.has(one.run));
}

/** The logs of the names that it had last, the newest first. */
async function formerLogs(migration: Migration, { table, open }: OpenedTable): Promise<readonly RowLog[]> {
  if (open === undefined || table.isOfSameRows === undefined) return [];
  for await (const { logs, place, sense } of unnamedTables(migration, table))
    if (place === open.target.urn && table.isOfSameRows(sense)) return logs;
  return [];
}

/** Rows of its table of the source that runs have brought to other tables of the target. */
export interface BroughtElsewhere {
  /** As the plan called that table. */
  readonly to: string;
  readonly rows: number;
}

/** The same where nothing is known of rows of the table that the plan names by now. */
export async function broughtElsewhere(
  migration: Migration,
  { table, open }: OpenedTable,
): Promise<readonly BroughtElsewhere[]> {
  const found: BroughtElsewhere[] = [];
  if (open === undefined || table.ledTo === undefined) return found;
  for await (const { logs, place, sense } of unnamedTables(migration, table)) {
    const to = table.ledTo(sense);
    // Earlier versions did not say which table it was.
    if (to === undefined || place === undefined || place === open.target.urn) continue;
    const known = await migration.store.state.knownRows(logs[0]?.table ?? "");
    known?.close();
    if (known !== undefined && known.size > 0) found.push({ to, rows: known.size });
  }
  return found;
}

interface UnnamedTable {
  /** The newest first. */
  readonly logs: readonly RowLog[];
  readonly place: string | undefined;
  readonly sense: string;
}

/** Where nothing is known of a table: what runs have written of those that the plan does not name, the one that was written last first. */
async function* unnamedTables(
  migration: Migration,
  { id }: Pick<OpenedTable["table"], "id">,
): AsyncGenerator<UnnamedTable, void, undefined> {
  const { state } = migration.store;
  const own = await state.knownRows(id);
  own?.close();
  if (own !== undefined) return;
  const planned = new Set(plannedTables(migration).map((one) => one.table.id));
  const others = (await state.rowLogs()).filter((log) => !planned.has(log.table));
  const groups = [...Map.groupBy(others, (log) => log.table).values()].map((logs) => logs.toReversed());
  const lastRun = ([log]: readonly RowLog[]): string => log?.run ?? "";
  for (const logs of groups.toSorted((one, other) => (lastRun(one) < lastRun(other) ? 1 : -1))) {
    const [newest] = logs;
    const { place, sense } = (newest === undefined ? undefined : await firstIn(newest)) ?? {};
    if (sense !== undefined) yield { logs, place, sense };
  }
}

/** Which table of the target a log is of, and by what its rows are known, where that was written down. */
async function firstIn({ records }: Pick<RowLog, "records">): Promise<RowsRecord | undefined> {
  for await (const record of records()) if (record.type === "rows") return record;
  return undefined;
}
