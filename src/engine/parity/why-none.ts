import { text } from "../../model/json.ts";
import type { MonitorPlace } from "../../service/index.ts";
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

/** Why a side has no results of a monitor that a bulk answer left out, in a clause. */
export async function whyNone(side: Side, place: MonitorPlace): Promise<string> {
  const { name, client } = side;
  const runs = await side.ask(() => client.quality.latestRuns(place, 1));
  if (isUnread(runs)) return runs.unread;
  if (runs === undefined) return `${name} says that it has no such monitor (404)`;
  const [run] = runs;
  const workflow = run === undefined ? undefined : text(run, "workflowUrn");
  if (run === undefined || workflow === undefined) return `it has never run at ${name}`;
  const since = text(run, "startedAt");
  const when = since === undefined ? "" : ` (started ${since})`;
  const results = await side.ask(() => client.quality.runResults({ ...place, workflow }));
  if (isUnread(results)) return results.unread;
  const processing = text(run, "processingState") ?? "";
  if (results === undefined)
    return `its last run at ${name}${when} has no results (404)${processing === "" ? "" : `; the run is ${processing}`}`;
  const state = text(results, "dqEvaluationState") ?? "";
  if (state === "SKIPPED") return `it does not evaluate data quality at ${name}: the evaluation was SKIPPED`;
  if (state === "FINISHED")
    return `the bulk results of ${name} leave it out, although its last run${when} is FINISHED`;
  return `it has no completed run at ${name}: the evaluation of the last one${when} ${stateClause(state)}`;
}
