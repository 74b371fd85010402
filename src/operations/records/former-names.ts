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
  const { state } = migration.store;
  if (open === undefined || table.isOfSameRows === undefined) return [];
  const own = await state.knownRows(table.id);
  own?.close();
  if (own !== undefined) return [];
  const planned = new Set(plannedTables(migration).map((one) => one.table.id));
  const others = (await state.rowLogs()).filter((log) => !planned.has(log.table));
  const groups = [...Map.groupBy(others, (log) => log.table).values()].map((logs) => logs.toReversed());
  const lastRun = ([log]: readonly RowLog[]): string => log?.run ?? "";
  for (const logs of groups.toSorted((one, other) => (lastRun(one) < lastRun(other) ? 1 : -1))) {
    const [newest] = logs;
    const { place, sense } = (newest === undefined ? undefined : await firstIn(newest)) ?? {};
    if (place === open.target.urn && sense !== undefined && table.isOfSameRows(sense)) return logs;
  }
  return [];
}

/** Which table of the target a log is of, and by what its rows are known, where that was written down. */
async function firstIn({ records }: Pick<RowLog, "records">): Promise<RowsRecord | undefined> {
  for await (const record of records()) if (record.type === "rows") return record;
  return undefined;
}
