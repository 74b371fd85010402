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
