import { plural } from "../model/plural.ts";

/** What a person reads who has interrupted a run. */
export function stoppingText({ awaited, notStarted }: { awaited: number; notStarted: number }): string {
  const flight = awaited === 0 ? "" : ` (${plural(awaited, "request")})`;
  const left =
    notStarted === 0
      ? ""
      : `; ${plural(notStarted, "object")} ${notStarted === 1 ? "is" : "are"} not started`;
  return `Stopping: what is in flight may finish${flight}${left}. Interrupt again to leave at once (that is safe).`;
}
