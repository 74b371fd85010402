import type { Migration } from "../migration.ts";
import { leftOf } from "./left-rows.ts";
import type { OpenedTable } from "./tables.ts";

/**
 * What an earlier run has begun and not brought to its end is known by the key, and the origins, that its plan had. Under
 * others nobody finds these rows again: they would be made a second time, or written under an origin that nobody names
 * any more. Such a table waits.
 */
export async function heldByOtherNaming(migration: Migration, opened: OpenedTable): Promise<OpenedTable> {
  if (opened.open === undefined) return opened;
  const { kind, table } = opened;
  const left = await leftOf(migration, table.id);
  const other = [...left.values()].find(({ naming = table.naming }) => naming !== table.naming);
  if (other === undefined) return opened;
  return {
    kind,
    table,
    why: {
      unusable: `rows that the run ${other.run} has begun are open, such as ${other.intent.name}, and its plan told rows apart otherwise (by key and origin) than this one: they would be made a second time`,
      suggestion:
        "Put the table's key and origins back as they were, approve or reject what is under review, and run again until nothing of it is open (`ferry status`). Change the plan then.",
    },
  };
}
