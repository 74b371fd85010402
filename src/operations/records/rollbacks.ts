import type { OpenRow } from "../../engine/records/open-rows.ts";
import type { Migration } from "../migration.ts";

/** Runs on record that take back. */
export async function rollbacksOf({ store: { state } }: Migration): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const archives = await state.archives();
  for (const records of [...archives.map(({ records }) => records), () => state.readJournal()])
    for await (const record of records())
      if (record.type === "run" && record.command === "rollback") found.add(record.run);
  return found;
}

/** Whether what is open of a row takes it back, whoever has it open by now. */
export function takesBack({ intent, run }: OpenRow, rollbacks: ReadonlySet<string>): boolean {
  return intent.back === true || rollbacks.has(run);
}

/** Each says by itself whether it takes a row back: rollbacks and applies may have left rows of one table. */
export function withBack(
  rows: readonly OpenRow[],
  rollbacks: ReadonlySet<string>,
): ReadonlyMap<string, OpenRow> {
  return new Map(
    rows.map((row) => [
      row.intent.key,
      takesBack(row, rollbacks) ? { ...row, intent: { ...row.intent, back: true } } : row,
    ]),
  );
}
