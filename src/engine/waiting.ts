import type { Report } from "./progress.ts";

interface Waits {
  readonly report: Report;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Behind what it is about. */
export const unanswered = "in doubt: an answer was lost, and the request may still take effect";

/** Waits, and tells it: nothing else is to be seen of it, which may be for minutes. Rejects when the run is stopped. */
export async function waitTold({ report, sleep }: Waits, ms: number, reason: string): Promise<void> {
  report({ type: "waiting", ms, reason });
  await sleep(ms);
}
