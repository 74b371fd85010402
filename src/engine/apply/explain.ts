import type { Progress } from "../progress.ts";
import type { Task } from "./task.ts";
import type { Trouble } from "../../kinds/trouble.ts";

/** Why a step failed for good, for a person. */
export function explain(trouble: Trouble, step: string): string {
  if (!trouble.notOffered) return trouble.reason;
  return `the service does not offer to ${step} it (${trouble.reason}). The next diff plans without: it says manual, or replaces it where policy.replace allows.`;
}

/** What became of a task, for whoever watches. */
export function told(task: Task, state: string, reason: string | undefined): Progress {
  const { change, kind } = task;
  return {
    type: "applied",
    kind: kind.name,
    name: change.source?.name ?? "",
    source: change.source?.urn ?? "",
    step: task.steps[task.at]?.name ?? "",
    state,
    ...(reason === undefined ? {} : { reason }),
  };
}
