import type { Logger } from "winston";
import type { Progress } from "../engine/progress.ts";
import type { ClientEvent } from "../service/index.ts";
import type { AppliedLog } from "./applied-log.ts";
import type { CommonFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import type { Level } from "./logger.ts";
import type { ProgressLine } from "./progress-line.ts";
import { retryText } from "./retry-text.ts";

/** How much of it a log tells, by how often -v was said. */
export function levelOf(flags: CommonFlags): Level {
  if (flags.verbose >= 2) return "debug";
  return flags.verbose === 1 ? "verbose" : "info";
}

/** Log lines and the progress line share stderr: the line goes before a log line is written. */
export function guarded(io: Io, line: ProgressLine): Io["stderr"] {
  const { stderr } = io;
  return {
    isTerminal: stderr.isTerminal,
    columns: stderr.columns,
    write(text) {
      line.clear();
      stderr.write(text);
    },
  };
}

const expected: ReadonlySet<string> = new Set(["done", "begun", "not-started"]);

/** What of the progress a log tells. */
export function tell(logger: Logger, applied: AppliedLog, progress: Progress): void {
  switch (progress.type) {
    case "stage":
      logger.verbose(progress.detail === undefined ? progress.stage : `${progress.stage} ${progress.detail}`);
      break;
    case "waiting":
      logger.warn(`waiting ${Math.ceil(progress.ms / 1_000)} s: ${progress.reason}`);
      break;
    case "applied": {
      // What was not begun is counted when the run is interrupted, and listed in its result.
      const isExpected = expected.has(progress.state);
      // Of each object there is one: a log that does not tell it would still make it out.
      if (isExpected && !logger.isVerboseEnabled()) break;
      const text = applied.line(progress);
      if (text !== undefined) logger.log(isExpected ? "verbose" : "warn", text);
      break;
    }
    case "read":
    case "work":
      break;
  }
}

/** What of the requests a log tells: with -vv each of them, otherwise what keeps a person waiting. */
export function tellRequest(logger: Logger, side: string, event: ClientEvent): void {
  // Of each request there are some of these, and whether a log tells anything takes longer to find out than to count them.
  if (event.type === "sent" || event.type === "ended" || event.type === "listed") return;
  if (!logger.isDebugEnabled()) {
    if (event.type === "throttled")
      logger.verbose(`${side}: the service asks to wait ${Math.ceil(event.waitMs / 1_000)} s`);
    // Retries may take two minutes: nobody should have to wonder what is going on.
    if (event.type === "retry" && event.waitMs >= 1_000) logger.warn(retryText(event));
    return;
  }
  switch (event.type) {
    case "done":
    case "failed":
      logger.debug(
        `${side} ${event.method} ${event.path} ${event.type === "done" ? event.status : event.kind} ${Math.round(event.durationMs)} ms`,
      );
      break;
    case "retry":
      logger.debug(retryText(event));
      break;
    case "throttled":
      logger.debug(`${side}: the service asks to wait ${Math.ceil(event.waitMs / 1_000)} s`);
      break;
    case "concurrency":
      logger.debug(`${side}: from now on at most ${event.limit} requests at once`);
      break;
    case "token":
      logger.debug(`${side}: signed in, for ${Math.round(event.lifetimeMs / 1_000)} s`);
      break;
  }
}
