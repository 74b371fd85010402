import type { KnownRows, Lease, RowLog } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import type { OpenedTable } from "./tables.ts";
import { plannedTables } from "./tables.ts";

/**
 * What is known of the rows of this very table of the target under names that the plan, or somebody who renamed it, does not use any
 * more: without that a colleague's word on them would be nobody's. Undefined where its own names are known, or nothing fits.
 */
export async function knownUnderFormerNames(
  migration: Migration,
  { table, open }: OpenedTable,
): Promise<KnownRows | undefined> {
  const { state } = migration.store;
  if (open === undefined || table.isOfSameRows === undefined) return undefined;
  const own = await state.knownRows(table.id);
  own?.close();
  if (own !== undefined) return undefined;
  const planned = new Set(plannedTables(migration).map((one) => one.table.id));
  const others = (await state.rowLogs()).filter((log) => !planned.has(log.table));
  const newest = [...Map.groupBy(others, (log) => log.table).values()].flatMap((logs) => logs.at(-1) ?? []);
  for (const log of newest.toSorted((one, other) => (one.run < other.run ? 1 : -1))) {
    if ((await placeIn(log)) !== open.target.urn) continue;
    const known = await state.knownRows(log.table);
    if (known !== undefined && table.isOfSameRows(known.sense)) return known;
    known?.close();
  }
  return undefined;
}

/** Known under the names of today from now on. */
export async function keepFormerNames(
  migration: Migration,
  lease: Lease,
  opened: OpenedTable,
): Promise<void> {
  const known = await knownUnderFormerNames(migration, opened);
  if (known === undefined) return;
  const { id, sense } = opened.table;
  try {
    await migration.store.state.saveKnownRows(lease, id, sense, known);
  } finally {
    known.close();
  }
}

/** The table of the target that a log is of, where that was written down. */
async function placeIn({ records }: Pick<RowLog, "records">): Promise<string | undefined> {
  for await (const record of records()) if (record.type === "rows") return record.place;
  return undefined;
}
