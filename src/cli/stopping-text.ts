/** What a person reads who has interrupted a run. */
export function stoppingText({ awaited, notStarted }: { awaited: number; notStarted: number }): string {
  const flight = awaited === 0 ? "" : ` (${awaited} ${awaited === 1 ? "request" : "requests"})`;
  const left =
    notStarted === 0
      ? ""
      : `; ${notStarted.toLocaleString("en")} ${notStarted === 1 ? "object is" : "objects are"} not started`;
  return `Stopping: what is in flight may finish${flight}${left}. Interrupt again to leave at once (that is safe).`;
}
