import { plural } from "../../model/plural.ts";
import type { OpenRow } from "../../engine/records/open-rows.ts";
import { mayGoOn, openRows } from "../../engine/records/open-rows.ts";
import type { Migration } from "../migration.ts";
import type { RowsProgress } from "./progress-file.ts";
import { progressOf } from "./progress-file.ts";
import { leftBehind } from "./left-behind.ts";
import { rollbacksOf, takesBack } from "./rollbacks.ts";
import { plannedTables } from "./tables.ts";

/** How the rows of a table stand; how far the run is that is at work, or was when it ended. */
export interface TableStanding extends Partial<RowsProgress> {
  readonly table: string;
  /** Rows that wait for a review, that are in the draft, that nobody knows the outcome of. */
  readonly waiting: number;
  readonly sent: number;
  readonly inDoubt: number;
  /** Of those that were sent or are in doubt the ones about which a person was asked. */
  readonly asked?: number;
  /** Deletions that no run goes on with unless it is given leave to delete. */
  readonly deletions?: number;
  /** It is a rollback that has left them: it, or an apply, brings them to their end. */
  readonly isBack?: true;
  /** No apply of the plan as it is goes on with them: what a person can do. */
  readonly todo?: string;
}

/** A person has to see to it, whether a run looks at it again or not. */
export function isAsked({ asks, told }: OpenRow): boolean {
  return asks === true || told === true;
}

/** From what is on disk alone; while a run is at work, too. `goesOn`: the command that goes on with what is open. */
export async function tablesStanding(
  migration: Migration,
  goesOn: string,
): Promise<readonly TableStanding[]> {
  const logs = (await migration.store.state.rowLogs()).filter(({ isOpen }) => isOpen);
  const done = await migration.store.work.rowsDone();
  const tables = new Map(plannedTables(migration).map(({ table }) => [table.id, table]));
  const behind = new Map((await leftBehind(migration, goesOn)).map((left) => [left.id, left]));
  const rollbacks = logs.length > 0 ? await rollbacksOf(migration) : new Set<string>();
  const found: TableStanding[] = [];
  for (const id of new Set([...logs.map(({ table }) => table), ...done.keys()])) {
    const left = logs.filter(({ table }) => table === id);
    const rows = [...(await openRows(left)).values()];
    // Of what was in a review that is gone nobody waits for that any more.
    const count = (wanted: string): number =>
      rows.filter(({ state, told }) => (state === "held" && told === true ? "doubt" : state) === wanted)
        .length;
    const asked = rows.filter(isAsked).length;
    const deletions = rows.filter((row) => row.asks !== true && !mayGoOn(row, false)).length;
    const progress = done.get(id);
    const todo = behind.get(id)?.todo;
    found.push({
      table: tables.get(id)?.name ?? behind.get(id)?.name ?? id,
      ...(progress === undefined ? {} : progressOf(progress)),
      waiting: count("held"),
      sent: count("sent"),
      inDoubt: count("doubt"),
      ...(asked > 0 ? { asked } : {}),
      ...(deletions > 0 ? { deletions } : {}),
      ...(rows.some((row) => takesBack(row, rollbacks)) ? { isBack: true as const } : {}),
      ...(todo === undefined ? {} : { todo }),
    });
  }
  return found;
}

/**
 * What is said of rows that a run has sent, and not brought to their end; "" where there are none. What waits for a review is told where
 * that was asked for, unless no run of the plan as it is would publish it.
 */
export function openRowsText(tables: readonly TableStanding[]): string {
  const open = tables
    .map((one) => ({ ...one, waiting: one.todo === undefined ? 0 : one.waiting }))
    .filter(({ sent, inDoubt, waiting }) => sent + inDoubt + waiting > 0);
  return open
    .map(({ table, sent, inDoubt, waiting, isBack, todo }) => {
      const who = isBack === true ? "a rollback" : "a run";
      const parts = [
        ...(sent > 0
          ? [`${plural(sent, "row")} that ${who} has sent and that nobody has seen published`]
          : []),
        ...(inDoubt > 0 ? [`${plural(inDoubt, "row")} of ${who} in doubt`] : []),
        ...(waiting > 0 ? [`${plural(waiting, "row")} of ${who} in a review`] : []),
      ];
      const idle = todo === undefined ? "" : ", with which no run of the plan as it is goes on";
      return `the table "${table}" has ${parts.join(" and ")}${idle}`;
    })
    .join("; ");
}

/** A run that was not given leave to delete leaves these, however often it is run. */
export function leaveFor(tables: readonly Pick<TableStanding, "deletions">[]): string {
  const rows = tables.reduce((sum, one) => sum + (one.deletions ?? 0), 0);
  if (rows === 0) return "";
  return ` ${plural(rows, "row")} of that ${rows === 1 ? "is" : "are"} to be deleted: say --allow-delete for ${rows === 1 ? "it" : "them"}.`;
}
