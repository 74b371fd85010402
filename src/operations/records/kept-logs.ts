import type { Diagnostic } from "../../model/diagnostic.ts";
import { plural } from "../../model/plural.ts";
import type { Lease, LogsKept, RowLog } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import type { OpenedTable } from "./tables.ts";
import { noteOn } from "./notes.ts";

/** As many runs as reports are kept of; bytes of a table. */
const most: LogsKept = { runs: 50, bytes: 4 * (1 << 30) };

/** Lets go what is older than what is kept for a rollback; says so. */
export async function dropOldLogs(
  { store }: Migration,
  lease: Lease,
  opened: OpenedTable,
): Promise<readonly Diagnostic[]> {
  const dropped = await store.state.dropRowLogs(lease, opened.table.id, most);
  const last = dropped.at(-1);
  if (last === undefined) return [];
  return [
    noteOn(
      opened,
      `what ${plural(dropped.length, "run")} did to its rows is kept no more, up to the run ${last}: a rollback cannot take these rows back. The last ${most.runs} runs that wrote it are kept, up to ${most.bytes / 2 ** 30} GB`,
    ),
  ];
}

/**
 * Runs of which is known that they wrote rows, and not which: their logs were dropped, or none of any of them is here. `runs`: all that
 * go with one another; one that only went on with another one may have none of its own.
 */
export function withoutLog(
  runs: Iterable<string>,
  logs: readonly RowLog[],
): readonly { readonly run: string; readonly reason: string }[] {
  const stay = "they stay as they are";
  if (logs.length === 0)
    return [...runs].map((run) => ({
      run,
      reason: `what it did to rows is not known here, where no log of it is: ${stay}`,
    }));
  const kept = new Set(logs.filter(({ isDropped }) => isDropped === undefined).map(({ run }) => run));
  return logs
    .filter(({ isDropped, run }) => isDropped === true && !kept.has(run))
    .map(({ run }) => ({ run, reason: `what it did to rows is kept no more: ${stay}` }));
}
