import { unanswered, waitTold } from "../../engine/waiting.ts";
import { deletionMayStand } from "../../engine/records/lost-rows.ts";
import { notMeantToGo } from "../../engine/records/not-meant.ts";
import type { OpenRow } from "../../engine/records/open-rows.ts";
import { isUnasked } from "../../engine/records/unasked.ts";
import { apartFromOthers } from "../../engine/records/open-rows.ts";
import type { RowTask } from "../../kinds/kind.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { plural } from "../../model/plural.ts";
import type { Migration } from "../migration.ts";
import type { LeftRow } from "./left-rows.ts";
import { foreseen, leftOf, othersNow, staying } from "./left-rows.ts";
import { rollbacksOf, takesBack } from "./rollbacks.ts";
import { writerOf } from "./table-write.ts";
import type { OpenedTable } from "./tables.ts";
import { noteOn } from "./notes.ts";

interface BegunRows {
  /** What is gone on with. */
  readonly rows: ReadonlyMap<string, OpenRow>;
  /** Where somebody else has been since. */
  readonly others: readonly OpenRow[];
  /** There are such, or rows that are to stay by now: what was compared before does not tell them. */
  readonly isOtherwise: boolean;
  readonly notes: readonly Diagnostic[];
}

interface Looked extends Awaited<ReturnType<typeof apartFromOthers>> {
  /** Deletions that the plan does not ask for any more. */
  readonly unmeant: readonly OpenRow[];
  /** Deletions, without an answer, of what somebody has changed since: they may come to the draft behind that. */
  readonly overtaken: readonly OpenRow[];
}

/** What of the rows that runs have begun is gone on with: it may be that others have been there since, or that a row is to stay by now. */
export async function begunRows(
  migration: Migration,
  opened: OpenedTable,
  left: ReadonlyMap<string, OpenRow>,
  {
    rollbacks,
    senses,
  }: { readonly rollbacks: ReadonlySet<string>; readonly senses: ReadonlyMap<string, string> },
): Promise<BegunRows> {
  const { open, table } = opened;
  if (open === undefined) return { rows: left, others: [], isOtherwise: false, notes: [] };
  const look = async (): Promise<Looked> => {
    const apart = await apartFromOthers(left, open);
    const unmeant = await notMeantToGo(apart.ours, table, open, (row) => takesBack(row, rollbacks));
    return { ...apart, unmeant, overtaken: apart.others.filter(isOvertaken) };
  };
  const at = performance.now();
  let looked = await look();
  const unsure = [...looked.unmeant, ...looked.others.filter(isUnanswered)];
  if (unsure.length > 0) {
    // The service may still be at work on them: a deletion that is taken back before that would go all the same, and what is compared and
    // written over would be written over by that.
    const what = `${plural(unsure.length, "row")} of ${table.name}`;
    await waitTold(migration, migration.plan.limits.quietPeriodMs, `${what} ${unanswered}`);
    looked = await look();
  }
  const { ours, unmeant, overtaken } = looked;
  const marked = await withdrawn(migration, open, [...unmeant, ...overtaken]);
  const rows = new Map<string, OpenRow>([...ours].map(([key, row]) => [key, { ...row, at }]));
  const stay: OpenRow[] = [];
  for (const row of overtaken)
    if (marked.has(row.intent.key))
      rows.set(row.intent.key, { ...row, state: "doubt", asks: true, reason: deletionMayStand });
  const others = looked.others.filter(({ intent }) => !rows.has(intent.key));
  for (const row of unmeant) {
    const { key } = row.intent;
    const reason = marked.get(key);
    if (reason === undefined) stay.push(row);
    if (reason === undefined) rows.delete(key);
    else rows.set(key, { ...row, state: "doubt", asks: true, reason });
  }
  const told = [...othersNow(others, senses, table), ...(stay.length > 0 ? [staying(stay)] : [])];
  const notes = told.map((text) => noteOn(opened, text));
  return { rows, others, isOtherwise: looked.others.length + unmeant.length > 0, notes };
}

/** What a person was asked about has been looked at behind that. */
function isUnanswered({ state, asks }: OpenRow): boolean {
  return state === "doubt" && asks !== true;
}

/** It is asked about again where a person was: whether they have discarded it. */
function isOvertaken({ intent, state, there }: OpenRow): boolean {
  return intent.action === "delete" && state === "doubt" && there !== undefined;
}

/** By key, why the deletion of a row stands in the draft still. */
async function withdrawn(
  migration: Migration,
  open: NonNullable<OpenedTable["open"]>,
  rows: readonly OpenRow[],
): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map();
  const writer = writerOf(migration, open);
  if (writer.withdraw === undefined) return new Map();
  const tasks = rows.map(
    ({ intent: { key, name, before = {}, target }, target: address = target, there = before }): RowTask => ({
      action: "delete",
      key,
      name,
      values: {},
      before: there,
      ...(address === undefined ? {} : { address }),
    }),
  );
  const marked = await writer.withdraw(tasks);
  return new Map([...marked].map(([task, reason]) => [task.key, reason]));
}

/** Of a table that is only looked at: deletions that runs have begun, and those of them that are to stay by now. */
async function lookedAt(
  migration: Migration,
  { open, table }: OpenedTable,
): Promise<{
  readonly left: ReadonlyMap<string, OpenRow>;
  readonly rollbacks: ReadonlySet<string>;
  readonly unmeant: ReadonlySet<string>;
}> {
  const [left, rollbacks] = [await leftOf(migration, table.id), await rollbacksOf(migration)];
  const rows =
    open === undefined ? [] : await notMeantToGo(left, table, open, (row) => takesBack(row, rollbacks));
  return { left, rollbacks, unmeant: new Set(rows.map(({ intent }) => intent.key)) };
}

/** So many deletions of earlier runs would go on. */
export async function begunDeletions(migration: Migration, opened: OpenedTable): Promise<number> {
  const { left, unmeant } = await lookedAt(migration, opened);
  const isGoing = ({ intent: { action, key } }: OpenRow): boolean => action === "delete" && !unmeant.has(key);
  return [...left.values()].filter(isGoing).length;
}

/** What an apply would first see to. */
export async function foreseenRows(
  migration: Migration,
  opened: OpenedTable,
): Promise<ReadonlyMap<string, LeftRow>> {
  const { left, rollbacks, unmeant } = await lookedAt(migration, opened);
  return new Map(
    [...left].map(([key, row]) => {
      const isBack = takesBack(row, rollbacks);
      const isTheirs = !isBack && isUnasked(row.intent, migration.plan.policy);
      return [key, foreseen(row, isBack, { isToStay: unmeant.has(key), isTheirs })];
    }),
  );
}
