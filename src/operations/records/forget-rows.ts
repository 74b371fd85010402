import { plural } from "../../model/plural.ts";
import type { OpenRow } from "../../engine/records/open-rows.ts";
import { openRows } from "../../engine/records/open-rows.ts";
import { waitTold } from "../../engine/waiting.ts";
import type { RowTable } from "../../kinds/kind.ts";
import type { Lease, RowLog } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import { sensesOf } from "./as-then.ts";
import { learned } from "./begun.ts";
import { forgetElsewhere } from "./known-senses.ts";
import { abandonWord, calledIn } from "./left-behind.ts";
import { rollbacksOf } from "./rollbacks.ts";
import { plannedTables } from "./tables.ts";

/** A table of the plan; or one that it does not name any more and that a run has left rows of. */
interface Meant {
  readonly id: string;
  /** What prints of its rows are of, where the plan says it. */
  readonly sense?: string;
  readonly readIn?: RowTable["readIn"];
}

/**
 * A person has seen to what was open of a table: nobody goes on with it, and the next diff looks at what is published. What came to its
 * end before is no less the run's word for that: it is known, so that what somebody makes of it is theirs. What a run has sent
 * may still take effect, and a run that knows nothing of it would make it once more: it is forgotten after the quiet period. Gives what
 * does it; undefined where the word means no table with open rows.
 */
export async function forgettingRows(
  migration: Migration,
  lease: Lease,
  word: string,
  interrupted: ReadonlySet<string>,
): Promise<(() => Promise<void>) | undefined> {
  const { state, work } = migration.store;
  const open = (await state.rowLogs()).filter(({ isOpen }) => isOpen);
  const table = await meant(migration, word, open);
  const logs = open.filter((log) => log.table === table?.id);
  if (table === undefined || logs.length === 0) return undefined;
  const { id, sense = "", readIn } = table;
  return async () => {
    // Of a run that has ended a review holds them, or it has looked at them and asks: all else may come as late as of one that was killed.
    const mayCome = ({ run, state, asks }: OpenRow): boolean =>
      interrupted.has(run) || (state !== "held" && asks !== true);
    const left = [...(await openRows(logs)).values()].filter(mayCome);
    if (left.length > 0) {
      const reason = `what a run has sent of ${plural(left.length, "row")} may still take effect: forgotten only after the quiet period; look at the drafts of the table once more after that`;
      await waitTold(migration, migration.plan.limits.quietPeriodMs, reason);
    }
    // What was compared before takes what was open for not yet sent.
    await work.saveRowsPlan(id, undefined);
    const rollbacks = await rollbacksOf(migration);
    const senses = await sensesOf(logs);
    for (const log of logs) {
      const then = { id, sense: senses.get(log.run) ?? sense, ...(readIn === undefined ? {} : { readIn }) };
      await learned(migration, lease, then, log, rollbacks.has(log.run));
      await forgetElsewhere(migration, lease, then, log);
      await state.closeRowLog(lease, id, log.run);
    }
  };
}

async function meant(
  migration: Migration,
  word: string,
  open: readonly RowLog[],
): Promise<Meant | undefined> {
  const planned = plannedTables(migration).find(
    ({ kind, table }) => word === `${kind.name}:${table.name}` || word === abandonWord(kind.name, table.id),
  );
  if (planned !== undefined) return planned.table;
  const called = await calledIn(migration);
  const log = open.find(({ table }) => word === abandonWord(called.get(table)?.kind, table));
  return log === undefined ? undefined : { id: log.table };
}
