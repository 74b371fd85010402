import type { TableDiff } from "../../engine/records/tally.ts";
import { display } from "../../model/display.ts";
import { StoreError } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import { knownUnderFormerNames } from "./former-names.ts";
import type { OpenedTable } from "./tables.ts";

/**
 * Where an environment got another name nothing is known of rows that were brought there: what a colleague has changed since, which was
 * drift under the old name, would be written over, and what a killed run has in drafts made once more.
 */
export async function refuseKnownElsewhere(
  migration: Migration,
  opened: OpenedTable,
  diff: TableDiff | undefined,
): Promise<void> {
  const { counts } = diff ?? { counts: { create: 0, update: 0, delete: 0 } };
  if (counts.create + counts.update + counts.delete === 0) return;
  const { state } = migration.store;
  const { id, name } = opened.table;
  // Nearly always a run has left its log here.
  if ((await state.rowLogs()).some(({ table }) => table === id)) return;
  const known = (await state.knownRows(id)) ?? (await knownUnderFormerNames(migration, opened));
  known?.close();
  if (known !== undefined) return;
  const folder = await state.rowsElsewhere(id);
  if (folder === undefined) return;
  throw new StoreError(
    "foreign-state",
    folder,
    `rows of "${display(name)}" were moved already, as ${display(folder)} has it, which is of the same two environments under other names: what people set in them would be overwritten, and what a killed run has left of them made once more`,
    "Give the environments the names in the plan that they have there, or rename that folder so; or take it away, where it is of no use any more.",
  );
}
