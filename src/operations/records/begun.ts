import type { OpenRow } from "../../engine/records/open-rows.ts";
import { EndedRows } from "../../engine/records/ended-rows.ts";
import { knownFromLogs, learnFrom } from "../../engine/records/known-from-logs.ts";
import type { PlannedRow } from "../../engine/records/line.ts";
import { printOf } from "../../engine/records/prints.ts";
import { isUntouched } from "../../engine/records/look-up.ts";
import type { Found } from "../../engine/records/still-meant.ts";
import { stillMeant } from "../../engine/records/still-meant.ts";
import type { RowTrouble } from "../../engine/records/written.ts";
import type { OpenTable, RowTable } from "../../kinds/kind.ts";
import { forgotten } from "../../model/row-print.ts";
import type { Lease, PrintSorter, RowLog } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import { bySense, isToldIn } from "./as-then.ts";
import type { Keeping } from "./known-senses.ts";
import { forgetElsewhere, knownIn } from "./known-senses.ts";
import type { BegunPlan } from "./plan-file.ts";
import { takesBack } from "./rollbacks.ts";
import { remembering } from "./remembering.ts";

/** What runs that did not come to their end have written of a comparison. */
export interface Earlier {
  /** How the target shows what the last of them has written, where that is in words of its own; by key. */
  readonly shown: ReadonlyMap<string, string>;
  /** What any of them has brought to its end. */
  readonly ended: EndedRows;
}

/** What the run before has written is known from now on, and whoever goes on answers for the rest. `open`: what it has left open, by key. */
export async function takenOver(
  { store }: Migration,
  table: string,
  begun: BegunPlan,
  known: PrintSorter,
  open: ReadonlyMap<string, unknown>,
): Promise<{ readonly begun: BegunPlan; readonly earlier: Earlier }> {
  const all = (await store.state.rowLogs()).filter((log) => log.table === table);
  const ended = new EndedRows(open.keys());
  await ended.learn(all.filter(({ run }) => run !== begun.run && begun.runs.includes(run)));
  const logs = all.filter(({ run }) => run === begun.run);
  const {
    create,
    update,
    delete: removed,
    shown,
  } = await knownFromLogs(logs, known, (row) => ended.add(row));
  const { done } = begun;
  const sum = { create: done.create + create, update: done.update + update, delete: done.delete + removed };
  return { begun: { ...begun, done: sum }, earlier: { shown, ended } };
}

export interface MeantOptions {
  readonly open: OpenTable;
  readonly known: PrintSorter | undefined;
  /** Rows are taken back: what was known before they were written is known again. */
  readonly isBack: boolean;
  /** Of rows that are written in parts the last ones. */
  readonly isPart?: boolean;
  readonly earlier?: Earlier | undefined;
}

/**
 * Of rows that were compared those that are still as they were then: between the comparison and the write lie a question that a
 * person answers, and all rows that come before.
 */
export function meantRows(
  rows: AsyncIterable<readonly PlannedRow[]>,
  { open, known, isBack, isPart = false, earlier }: MeantOptions,
  left: (row: RowTrouble, planned: PlannedRow) => void,
): AsyncIterable<readonly PlannedRow[]> {
  const leave = (planned: PlannedRow, reason: string): void => {
    const { key, name } = planned.task;
    left({ key, name, reason }, planned);
  };
  const found: Found = {
    async done(planned, values) {
      const { task, print, was } = planned;
      if (isBack) {
        const [source, target] = was ?? [forgotten, forgotten];
        await known?.add({ key: task.key, source, target });
        return;
      }
      if (print === undefined) return;
      const isGone = task.action === "delete" || values === undefined;
      const now = values === undefined ? undefined : printOf(values, open);
      const isOurs =
        values !== undefined && (isUntouched(task, values, open) || now === earlier?.shown.get(task.key));
      // What else stands there is a colleague's word: known is what was sent, so that theirs is drift.
      const [source, target] = isGone
        ? [forgotten, forgotten]
        : [print[0], isOurs ? (now ?? print[0]) : print[0]];
      await known?.add({ key: task.key, source, target });
      if (isGone || isOurs) return;
      leave(
        planned,
        "somebody has changed another part of it since it was written: the next run looks at it",
      );
    },
    touched(planned) {
      leave(planned, "somebody has changed it since it was compared: the next run looks at it");
    },
    held(planned, by) {
      const toDo = "take that away in the web application if this one is to go";
      leave(planned, `${by} at the target leads to it and stays: its relation would go with it; ${toDo}`);
    },
  };
  return stillMeant(rows, open, found, { isPart, ...earlier });
}

/** What runs that did not come to their end have left, beside what is gone on with. */
export interface EarlierLogs {
  readonly logs: readonly RowLog[];
  /** Of what the prints in them are, by run. */
  readonly senses: ReadonlyMap<string, string>;
  readonly rollbacks: ReadonlySet<string>;
}

/** Keeps what they have brought to their end, and of `others` what was sent: each in the sense of its run, whatever this plan moves. */
export async function learnedAll(
  keeping: Keeping,
  lease: Lease,
  table: Pick<RowTable, "id" | "sense" | "formerly">,
  { logs, senses, rollbacks }: EarlierLogs,
  others: readonly OpenRow[],
): Promise<void> {
  const { id, sense } = table;
  for (const log of logs) {
    const then = { id, sense: senses.get(log.run) ?? sense };
    await learned(keeping, lease, then, log, rollbacks.has(log.run));
  }
  // Whether it was sent is not to be seen in columns that this plan does not read: what was known stays.
  for (const [then, rows] of bySense(others, senses, sense))
    if (isToldIn(table, then)) await knownAsSent(keeping, lease, { id, sense: then }, rows, rollbacks);
}

/** Of the run that ends here. */
export async function closeOwn(
  migration: Migration,
  lease: Lease,
  table: Pick<RowTable, "id" | "sense" | "readIn">,
  run: string,
): Promise<void> {
  const all = await migration.store.state.rowLogs();
  const logs = all.filter((log) => log.table === table.id && log.run === run);
  await closeEarlier(migration, lease, table, { logs, senses: new Map() });
}

/** Nothing in them is open any more. */
export async function closeEarlier(
  migration: Migration,
  lease: Lease,
  table: Pick<RowTable, "id" | "sense" | "readIn">,
  { logs, senses }: Pick<EarlierLogs, "logs" | "senses">,
): Promise<void> {
  for (const log of logs) {
    const then = { ...table, sense: senses.get(log.run) ?? table.sense };
    await forgetElsewhere(migration, lease, then, log);
    await migration.store.state.closeRowLog(lease, table.id, log.run);
  }
}

/** Keeps what a run that has its log open has brought to its end, where it died before it kept that. */
export async function learned(
  keeping: Keeping,
  lease: Lease,
  table: Pick<RowTable, "id" | "sense">,
  log: RowLog,
  isBack: boolean,
): Promise<void> {
  await remembering(keeping, lease, table, async (known) => {
    const found = await knownIn(keeping.store.state, table);
    try {
      await learnFrom(log, isBack, found, known);
    } finally {
      found?.close();
    }
  });
}

/**
 * Of changes that were begun, and that somebody has changed since, what was sent is known: theirs is drift, and would be nobody's where
 * nothing is known of the row. What a rollback has left is known as it was before; of what has no old values nobody knows whose it is.
 */
async function knownAsSent(
  keeping: Keeping,
  lease: Lease,
  table: Pick<RowTable, "id" | "sense">,
  rows: readonly OpenRow[],
  rollbacks: ReadonlySet<string>,
): Promise<void> {
  await remembering(keeping, lease, table, async (known) => {
    for (const row of rows) {
      const { key, action, print, before } = row.intent;
      const isPlain = action === "update" && before !== undefined && row.short !== true;
      if (!isPlain || print === undefined || takesBack(row, rollbacks)) continue;
      await known.add({ key, source: print[0], target: print[0] });
    }
  });
}
