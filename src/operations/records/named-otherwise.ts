import { isKeyedOtherwise } from "../../engine/records/keyed-otherwise.ts";
import type { OpenRow } from "../../engine/records/open-rows.ts";
import { openRows } from "../../engine/records/open-rows.ts";
import type { OpenTable } from "../../kinds/kind.ts";
import { shellWord } from "../../model/shell-word.ts";
import type { Migration } from "../migration.ts";
import { abandonWord } from "./left-behind.ts";
import { leftOf } from "./left-rows.ts";
import type { OpenedTable } from "./tables.ts";
import { plannedTables } from "./tables.ts";

/**
 * What an earlier run has begun and not brought to its end is known by the names of its table, and by the key, and the
 * origins, that its plan had. Under others nobody finds these rows again: they would be made a second time, or written under an
 * origin that nobody names any more. Such a table waits.
 */
export async function heldByOtherNaming(migration: Migration, opened: OpenedTable): Promise<OpenedTable> {
  const { kind, table, open } = opened;
  if (open === undefined) return opened;
  const left = await leftOf(migration, table.id);
  const other = [...left.values()].find(({ naming = table.naming }) => naming !== table.naming);
  if (other !== undefined)
    return {
      kind,
      table,
      why: {
        unusable: `rows that the run ${other.run} has begun are open, such as ${other.intent.name}, and its plan told rows apart otherwise (by key and origin) than this one: they would be made a second time`,
        suggestion:
          "Where that was another plan over the same table, run that one again, and then this one. Otherwise put the table's key and origins back as they were, approve or reject what is under review, and run again until nothing of it is open (`ferry status PLAN`). Change the plan then.",
      },
    };
  const rekeyed = [...left.values()].find(({ intent }) => isKeyedOtherwise(intent, open));
  if (rekeyed !== undefined)
    return {
      kind,
      table,
      why: {
        unusable: `rows that the run ${rekeyed.run} has begun are open, such as ${rekeyed.intent.name}, and a column of the key is of another type by now: they would be made a second time`,
        suggestion: `Give the key the type that it had then, approve or reject what is under review, and run again until nothing of it is open (\`ferry status\`). Or publish or discard these rows in the web application, then forget them: ferry resolve ${migration.plan.name} --abandon ${shellWord(abandonWord(kind.name, table.id))}`,
      },
    };
  const former = await underOtherNames(migration, open);
  if (former === undefined) return opened;
  const { row, id } = former;
  const { name } = migration.plan;
  return {
    kind,
    table,
    why: {
      unusable: `rows that the run ${row.run} has begun in this table of the target are open, such as ${row.intent.name}, and its plan called the table otherwise than this one: they would be made a second time`,
      suggestion: `Call the table in the plan (and where it was renamed) as it was called then, and run again until nothing of it is open (\`ferry status\`). Change the names then. Or publish or discard these rows in the web application, then forget them: ferry resolve ${name} --abandon ${shellWord(abandonWord(kind.name, id))}`,
    },
  };
}

/** A row that is open in this very table of the target, under names that the plan does not say any more. */
async function underOtherNames(
  migration: Migration,
  { target }: OpenTable,
): Promise<{ readonly row: OpenRow; readonly id: string } | undefined> {
  const planned = new Set(plannedTables(migration).map(({ table }) => table.id));
  const logs = (await migration.store.state.rowLogs()).filter(
    ({ table, isOpen }) => isOpen && !planned.has(table),
  );
  for (const [id, group] of Map.groupBy(logs, ({ table }) => table)) {
    const rows = await openRows(group);
    const row = [...rows.values()].find((open) => isIn(open, target));
    if (row !== undefined) return { row, id };
  }
  return undefined;
}

/** Logs of earlier versions have the table's name alone. */
function isIn({ place, naming }: OpenRow, { urn, name }: OpenTable["target"]): boolean {
  return place === undefined ? naming?.includes(JSON.stringify(name)) !== false : place === urn;
}
