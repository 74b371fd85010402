import { openRows } from "../../engine/records/open-rows.ts";
import { display } from "../../model/display.ts";
import { quotedWord } from "../../model/shell-word.ts";
import type { Migration } from "../migration.ts";
import { abandonWord, calledIn, openText } from "./left-behind.ts";
import { plannedTables } from "./tables.ts";

/** What `resolve` tells of a table of which rows wait for a review, and what settles it. */
export interface HeldTable {
  readonly said: string;
  readonly todo: string;
}

/**
 * Tables of which a run has put up rows for a review. Whether that is gone, and a person was asked about them, is in no file: only
 * the target tells.
 */
export async function heldTables(migration: Migration): Promise<readonly HeldTable[]> {
  const logs = (await migration.store.state.rowLogs()).filter(({ isOpen }) => isOpen);
  if (logs.length === 0) return [];
  const planned = new Map(plannedTables(migration).map((one) => [one.table.id, one]));
  const called = await calledIn(migration);
  const found: HeldTable[] = [];
  for (const [id, group] of Map.groupBy(logs, ({ table }) => table)) {
    const rows = [...(await openRows(group)).values()].filter(({ state }) => state === "held");
    if (rows.length === 0) continue;
    const named = planned.get(id);
    const was = called.get(id);
    const name = display(named?.table.name ?? was?.name ?? id);
    const word = named === undefined ? abandonWord(was?.kind, id) : `${named.kind.name}:${named.table.name}`;
    found.push({
      said: `Of "${name}" ${openText(rows)}.`,
      todo: `Where a run has asked about these rows of "${name}": see to them in the web application of the target (publish or discard what stands in its draft), then: ferry resolve ${migration.plan.name} --abandon ${quotedWord(word)}`,
    });
  }
  return found;
}
