import { text } from "../../model/json.ts";
import type { MonitorPlace } from "../../service/index.ts";
import type { BulkResult } from "./parse.ts";
import type { Side } from "./side.ts";
import { isUnread } from "./side.ts";

/** Document 2, "Workflow, job and evaluation states"; the list is extensible. */
const evaluationStates: Readonly<Record<string, string>> = {
  INITIALIZING: "is starting",
  ENQUEUED: "is waiting to start",
  RUNNING: "is still running",
  FAILED: "has FAILED",
  SKIPPED: "was SKIPPED",
};

/** Of an evaluation that is not FINISHED, in a clause. */
export function stateClause(state: string): string {
  return evaluationStates[state] ?? `is ${state}`;
}

/** The service lists no more runs at once; what is awaited is among the last ones. */
const mostRuns = 100;

/**
 * Why a side has no results of a monitor that a bulk answer left out, in a clause; with `awaited` why it has none of that
 * run.
 */
export async function whyNone(side: Side, place: MonitorPlace, awaited?: string): Promise<string> {
  const { name, client } = side;
  const runs = await side.ask(() => client.quality.latestRuns(place, awaited === undefined ? 1 : mostRuns));
  if (isUnread(runs)) return runs.unread;
  if (runs === undefined) return `${name} says that it has no such monitor (404)`;
  const run = awaited === undefined ? runs[0] : runs.find((one) => text(one, "workflowUrn") === awaited);
  const workflow = awaited ?? (run === undefined ? undefined : text(run, "workflowUrn"));
  if (workflow === undefined) return `it has never run at ${name}`;
  const since = run === undefined ? undefined : text(run, "startedAt");
  const when = since === undefined ? "" : ` (started ${since})`;
  const which = awaited === undefined ? "its last run" : "the run that was awaited";
  const results = await side.ask(() => client.quality.runResults({ ...place, workflow }));
  if (isUnread(results)) return results.unread;
  const processing = run === undefined ? "" : (text(run, "processingState") ?? "");
  if (results === undefined)
    return `${which} at ${name}${when} has no results (404)${processing === "" ? "" : `; the run is ${processing}`}`;
  const state = text(results, "dqEvaluationState") ?? "";
  if (state === "SKIPPED") return `it does not evaluate data quality at ${name}: the evaluation was SKIPPED`;
  if (state === "FINISHED")
    return awaited === undefined
      ? `the bulk results of ${name} leave it out, although its last run${when} is FINISHED`
      : `the bulk results of ${name} are not those of the run that was awaited${when}, although that one is FINISHED`;
  return awaited === undefined
    ? `it has no completed run at ${name}: the evaluation of the last one${when} ${stateClause(state)}`
    : `the evaluation of the run that was awaited at ${name}${when} ${stateClause(state)}`;
}

/**
 * Why results are not those that were awaited, in a clause: they are of another run, and not of one that somebody has
 * started later. Undefined where they may be compared.
 */
export async function whyOther(
  side: Side,
  place: MonitorPlace,
  bulk: BulkResult,
  awaited: string,
): Promise<string | undefined> {
  if (bulk.workflow === awaited) return undefined;
  const runs = await side.ask(() => side.client.quality.latestRuns(place, mostRuns));
  if (isUnread(runs)) return runs.unread;
  const startOf = (workflow: string): number => {
    const run = runs?.find((one) => text(one, "workflowUrn") === workflow);
    return Date.parse((run === undefined ? undefined : text(run, "startedAt")) ?? "");
  };
  const isLater = Date.parse(bulk.startedAt ?? "") > startOf(awaited);
  if (isLater) return undefined;
  const when = bulk.startedAt === undefined ? "" : ` (started ${bulk.startedAt})`;
  return `${await whyNone(side, place, awaited)}; there are only older results${when}`;
}
