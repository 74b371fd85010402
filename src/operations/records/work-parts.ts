import type { Insight } from "../../engine/records/explain.ts";
import type { PlannedRow } from "../../engine/records/line.ts";
import type { OpenRow } from "../../engine/records/open-rows.ts";
import { TableLog } from "../../engine/records/log.ts";
import { withoutRest } from "../../engine/records/line.ts";
import type { TableDiff } from "../../engine/records/tally.ts";
import type { RowTrouble, Written } from "../../engine/records/written.ts";
import type { AppliedChange } from "../../model/change.ts";
import { fromEntries } from "../../model/json.ts";
import type { Lease } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import type { LeftRow } from "./left-rows.ts";
import type { BegunPlan } from "./plan-file.ts";
import { tableChange } from "./table-change.ts";
import type { OpenedTable } from "./tables.ts";

export const nothing: Written = {
  done: { create: 0, update: 0, delete: 0 },
  overwritten: 0,
  refused: 0,
  refusals: [],
  refusedAgain: [],
  held: [],
  late: 0,
  lost: 0,
  unclear: [],
  otherwise: [],
  emptied: [],
  touched: 0,
  behind: [],
  withoutOldValues: 0,
  isTooBad: false,
  interrupted: false,
};

/** The log of what a run does to a table; it says which table: whoever goes on finds by it whether he means the same rows. */
export async function logOf(
  { store, now, hooks }: Migration,
  { table, open }: OpenedTable,
  lease: Lease,
  run: string,
): Promise<TableLog> {
  const { id, naming, sense } = table;
  const journal = await store.state.openRowLog(lease, id, run);
  const place = open === undefined ? {} : { place: open.target.urn };
  return new TableLog({ naming, sense, ...place, journal, run, now, hooks });
}

/** How far the writing is. */
export interface Sofar {
  readonly total: number;
  readonly from?: number;
  /** Rows of the same comparison that were refused: limits.badRows is of all of it. */
  readonly bad?: number;
}

interface Standing {
  /** What it went on with of earlier runs. */
  readonly resumed: Written | undefined;
  readonly begun: Pick<BegunPlan, "diff"> | undefined;
  readonly insight: Insight | undefined;
  /** Rows that have not come to their end. */
  readonly open: ReadonlyMap<string, OpenRow>;
  /** Rows that earlier runs have left, and with which nothing was done. */
  readonly left: ReadonlyMap<string, LeftRow>;
  readonly isWithheld: boolean;
  readonly isWriting: boolean;
  /** A part of it was to come behind something else, and the run has not come to it. */
  readonly waits: boolean;
}

/** How a table stands, in the result. */
export function changeOf(
  opened: OpenedTable,
  diff: TableDiff | undefined,
  written: Written | undefined,
  { resumed, begun, insight, open, left, isWithheld, isWriting, waits }: Standing,
): AppliedChange {
  const held = resumed?.held.reduce((sum, { rows }) => sum + rows, 0) ?? 0;
  // What an earlier run has compared tells only of what waited then: what waits is never counted for less than it is.
  const heldBefore = begun === undefined ? held : Math.min(held, begun.diff.counts.manual);
  const sent = [...open.values()].filter(({ state }) => state === "sent").length;
  const change = tableChange(
    opened,
    diff,
    written,
    { heldBefore, sent, left, goesOn: begun !== undefined },
    insight,
  );
  if (waits && change.outcome === "done")
    return { ...change, outcome: endedOf(written) > 0 ? "begun" : "not-started" };
  // Where writing has not told it: deletions wait for a run that may delete, or it was broken off.
  if (change.outcome !== undefined || !(isWithheld || isWriting)) return change;
  return { ...change, outcome: isWriting ? "begun" : "withheld" };
}

/** What a run that was stopped, or broken off, has not come to. */
export function notReached(changes: readonly AppliedChange[]): readonly AppliedChange[] {
  return changes.map((change) =>
    change.action === "update" && change.outcome === undefined
      ? { ...change, outcome: "not-started" }
      : change,
  );
}

/** With one more that was refused. */
export function withRefused(written: Written, row: RowTrouble): Written {
  const { refused, refusals } = written;
  return { ...written, refused: refused + 1, refusals: [...refusals, row].slice(0, 20) };
}

/** Rows that have come to their end. */
export function endedOf({ done, refused }: Pick<Written, "done" | "refused"> = nothing): number {
  return done.create + done.update + done.delete + refused;
}

/** What is written at once, and what waits until everything else is there. */
export function split(
  planned: PlannedRow,
  isLater: (name: string) => boolean,
): readonly [PlannedRow | undefined, PlannedRow | undefined] {
  const { task } = planned;
  const parts = Object.entries(task.values);
  const later = fromEntries(parts.filter(([name]) => isLater(name)));
  if (Object.keys(later).length === 0) return [planned, undefined];
  const now = fromEntries(parts.filter(([name]) => !isLater(name)));
  const isUpdate = task.action === "update";
  // Who ends here has not written all that the source says.
  const first =
    isUpdate && Object.keys(now).length === 0
      ? undefined
      : { ...withoutRest(planned), task: { ...task, values: now } };
  const before = { ...task.before, ...now };
  return [first, { ...planned, task: { ...task, action: "update", values: later, before } }];
}

/** Both parts of a run, what it went on with and what it began. */
export function merged(first: Written | undefined, second: Written | undefined): Written | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    done: {
      create: first.done.create + second.done.create,
      update: first.done.update + second.done.update,
      delete: first.done.delete + second.done.delete,
    },
    overwritten: first.overwritten + second.overwritten,
    refused: first.refused + second.refused,
    refusals: [...first.refusals, ...second.refusals],
    refusedAgain: [...first.refusedAgain, ...second.refusedAgain],
    held: [...first.held, ...second.held],
    late: first.late + second.late,
    lost: first.lost + second.lost,
    unclear: [...first.unclear, ...second.unclear],
    otherwise: [...first.otherwise, ...second.otherwise],
    emptied: [...first.emptied, ...second.emptied],
    touched: first.touched + second.touched,
    behind: [...first.behind, ...second.behind],
    withoutOldValues: second.withoutOldValues,
    ...(second.fatal === undefined
      ? first.fatal === undefined
        ? {}
        : { fatal: first.fatal }
      : { fatal: second.fatal }),
    isTooBad: first.isTooBad || second.isTooBad,
    interrupted: first.interrupted || second.interrupted,
  };
}
