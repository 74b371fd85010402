import type { Progress } from "../progress.ts";
import type { Task } from "./task.ts";
import type { Trouble } from "../../kinds/trouble.ts";

/** Why a step failed that the service does not have, for a person. */
export function notOffered(trouble: Trouble, step: string): string {
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
