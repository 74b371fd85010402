import type { Action, AppliedChange, TableRows } from "../model/change.ts";
import { waits } from "../model/change.ts";
import type { ConsequenceOptions } from "../model/consequences.ts";
import { consequencesOf } from "../model/consequences.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ExitCode, Result } from "../model/result.ts";
import { emptySummary } from "../model/result.ts";
import { packed } from "../model/packed/change-list.ts";
import type { Migration } from "./migration.ts";

/** The one result of an operation; counts and exit code come from the same changes. */
export function resultOf(
  migration: Migration,
  parts: {
    readonly command: string;
    readonly exitCode: ExitCode;
    readonly changes?: readonly AppliedChange[];
    readonly diagnostics?: readonly Diagnostic[];
    readonly headline?: string;
    readonly next?: readonly string[];
    readonly run?: string;
    readonly parity?: Result["parity"];
    readonly details?: unknown;
    /** What was or would be written, and whether that includes deletes; left out where nothing is about to be. */
    readonly writes?: { readonly allowDelete?: boolean | undefined };
  },
): Result {
  const summary = emptySummary();
  for (const change of parts.changes ?? []) {
    if (change.records !== undefined) addRows(summary, change.records, change.acknowledged !== undefined);
    else summary[change.acknowledged === undefined ? change.action : "acknowledged"] += 1;
    if (change.records !== undefined) continue;
    if (change.outcome === "failed") summary.failed += 1;
    if (change.outcome === "in-doubt") summary.inDoubt += 1;
  }
  return {
    version: migration.version,
    command: parts.command,
    plan: migration.plan.name,
    exitCode: parts.exitCode,
    summary,
    changes: packed((parts.changes ?? []).values().filter(({ action }) => action !== "unchanged")),
    ...(parts.writes === undefined ? {} : consequencesIn(parts.changes ?? [], parts.writes)),
    diagnostics: parts.diagnostics ?? [],
    requests: migration.requests(),
    durationMs: migration.durationMs,
    source: migration.parties.source,
    target: migration.parties.target,
    ...(parts.run === undefined ? {} : { run: parts.run }),
    ...(parts.headline === undefined ? {} : { headline: parts.headline }),
    ...(parts.next === undefined ? {} : { next: parts.next }),
    ...(parts.parity === undefined ? {} : { parity: parts.parity }),
    ...(parts.details === undefined ? {} : { details: parts.details }),
  };
}

/** Rows are counted like objects; the table itself is none. */
function addRows(summary: ReturnType<typeof emptySummary>, rows: TableRows, isAcknowledged: boolean): void {
  for (const action of tableActions)
    summary[isAcknowledged && waits(action) ? "acknowledged" : action] += rows[action];
  summary.failed += rows.failed;
  summary.inDoubt += rows.inDoubt;
}

const tableActions = [
  "create",
  "update",
  "delete",
  "unchanged",
  "blocked",
  "drift",
  "conflict",
  "manual",
] as const;

/** So many objects and rows have one of these actions; none of those that wait and are acknowledged. */
export function countOf(changes: readonly AppliedChange[], wanted: readonly Action[]): number {
  return changes.reduce((sum, { action, records, acknowledged }) => {
    const isMeant = (one: Action): boolean =>
      wanted.includes(one) && (acknowledged === undefined || !waits(one));
    if (records === undefined) return sum + Number(isMeant(action));
    return tableActions.reduce((all, one) => all + (isMeant(one) ? records[one] : 0), sum);
  }, 0);
}

/** So many objects and rows. */
export function sizeOf(changes: readonly AppliedChange[]): number {
  return changes.reduce((sum, { records }) => {
    if (records === undefined) return sum + 1;
    return sum + records.create + records.update + records.delete + records.blocked;
  }, 0);
}

/** So many of them were done. */
export function doneOf(changes: readonly AppliedChange[]): number {
  return changes.reduce(
    (sum, { outcome, records }) => sum + (records === undefined ? Number(outcome === "done") : records.done),
    0,
  );
}

function consequencesIn(
  changes: readonly AppliedChange[],
  options: ConsequenceOptions,
): Pick<Result, "consequences"> {
  const consequences = consequencesOf(changes, options);
  return consequences.length === 0 ? {} : { consequences };
}
