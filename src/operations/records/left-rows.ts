import type { RowLine } from "../../engine/records/line.ts";
import type { Review } from "../../engine/records/approvals.ts";
import type { OpenRow } from "../../engine/records/open-rows.ts";
import { mayGoOn, openRows } from "../../engine/records/open-rows.ts";
import type { RowTrouble } from "../../engine/records/written.ts";
import { display } from "../../model/display.ts";
import { plural } from "../../model/plural.ts";
import type { RowTable } from "../../kinds/kind.ts";
import type { Migration } from "../migration.ts";
import { isToldIn } from "./as-then.ts";

/** Why nothing is done with a row now. */
export interface LeftRow extends Pick<RowLine, "action" | "reason" | "name"> {
  /** To run again may never bring it to its end: a person may have to see to it, and have it forgotten. */
  readonly isInDoubt?: true;
  /** The one that it waits for. */
  readonly review?: Review;
}

/** What runs that did not come to their end have left of a table. */
export async function leftOf({ store }: Migration, id: string): Promise<ReadonlyMap<string, OpenRow>> {
  const logs = await store.state.rowLogs();
  return openRows(logs.filter(({ table, isOpen }) => isOpen && table === id));
}

/** What this run has left open of it. */
export async function openIn(
  { store }: Migration,
  id: string,
  of: string,
): Promise<ReadonlyMap<string, OpenRow>> {
  const logs = await store.state.rowLogs();
  return openRows(logs.filter(({ table, run }) => table === id && run === of));
}

/** Rows that are named; of the others the number is told. */
const mostNamed = 5;

/**
 * What a run has left of a row, for whoever only looks; or for whom it waits still. `isToStay`: its deletion is asked for no more;
 * `isTheirs`: nor is it that what somebody has made of it is written over.
 */
export function foreseen(
  { intent, state, review, asks, reason = "" }: OpenRow,
  isBack: boolean,
  { isToStay = false, isTheirs = false } = {},
): LeftRow {
  const { name } = intent;
  if (asks === true) return doubtful(name, reason);
  if (isToStay)
    return {
      name,
      action: "blocked",
      reason: `an interrupted run has begun to delete it, ${unasked}: an apply sees to that first`,
    };
  if (isTheirs && state === "doubt")
    return {
      name,
      action: "blocked",
      reason: `an interrupted run has begun to write it, and by now the plan leaves it to whoever has changed or removed it at the target (policy): an apply sees to that first`,
    };
  if (state === "held") {
    const where = `the review "${review?.name ?? ""}" (${review?.urn ?? ""})`;
    const told = review === undefined ? {} : { review };
    return { name, action: "manual", reason: `it waits for ${where}`, ...told };
  }
  const who = isBack ? "an interrupted rollback" : "an interrupted run";
  const isDeletion = intent.action === "delete";
  const what =
    state === "sent"
      ? `${who} has ${isDeletion ? "its deletion" : "it"} in the draft`
      : isDeletion
        ? `${who} has begun to delete it`
        : isBack
          ? `${who} has begun to take it back`
          : reason;
  const how = isBack ? "an apply or a rollback" : "an apply";
  return {
    name,
    action: "blocked",
    reason: `${what}; ${how} brings it to its end first${isDeletion ? ", with --allow-delete" : ""}`,
  };
}

/** What is open after all that could be done about it. */
export function stillLeft(
  rows: ReadonlyMap<string, OpenRow>,
  unclear: readonly RowTrouble[],
  allowDelete: boolean,
): ReadonlyMap<string, LeftRow> {
  const why = new Map(unclear.map(({ key, reason }) => [key, reason]));
  return new Map(
    [...rows].map(([key, row]) => {
      const isTold = row.state === "held" || !mayGoOn(row, allowDelete);
      const doubt = why.get(key);
      return [key, doubt === undefined && isTold ? foreseen(row, false) : inDoubt(row, doubt)];
    }),
  );
}

function inDoubt(
  { intent: { name }, reason = "its draft could not be released" }: OpenRow,
  why = reason,
): LeftRow {
  return doubtful(name, why);
}

function doubtful(name: string, why: string): LeftRow {
  return { name, action: "blocked", reason: `it is in doubt: ${why}`, isInDoubt: true };
}

const unasked =
  "which the plan does not ask for any more (records.remove, a filter, or the source has it by now)";

/** Deletions that were begun, and that stand nowhere: what stands there now is compared. */
export function staying(rows: readonly OpenRow[]): string {
  return `an interrupted run had begun to delete ${namedRows(rows)}, ${unasked}: nothing of it stands, and nothing was deleted`;
}

function namedRows(rows: readonly OpenRow[]): string {
  const named = rows.slice(0, mostNamed).map(({ intent }) => display(intent.name));
  const more = rows.length > mostNamed ? ` and ${rows.length - mostNamed} more` : "";
  return `${plural(rows.length, "row")} (${named.join(", ")}${more})`;
}

/** Changes that were begun and are not gone on with; `senses`: of what their prints are, by run. */
export function othersNow(
  rows: readonly OpenRow[],
  senses: ReadonlyMap<string, string>,
  table: Pick<RowTable, "sense" | "formerly">,
): readonly string[] {
  const isTold = ({ run }: OpenRow): boolean => isToldIn(table, senses.get(run) ?? table.sense);
  const [told, untold] = [rows.filter(isTold), rows.filter((row) => !isTold(row))];
  return [
    ...(told.length === 0 ? [] : [changedSince(told)]),
    ...(untold.length === 0 ? [] : [ofOtherPlan(untold)]),
  ];
}

/** This plan does not read what was to be changed. */
function ofOtherPlan(rows: readonly OpenRow[]): string {
  return `an interrupted run of a plan that moves other parts of these rows had begun to change ${namedRows(rows)}: what became of that cannot be seen by this one, and nothing more was sent; the next run of a plan that moves these parts looks at ${rows.length === 1 ? "it" : "them"}`;
}

/** Somebody else has been in them since. */
function changedSince(rows: readonly OpenRow[]): string {
  return `an interrupted run had begun to change ${namedRows(rows)}, and somebody has changed ${rows.length === 1 ? "it" : "them"} since: nothing more was sent, what stands there now is compared; what is in the draft is to be looked at in the web application`;
}
