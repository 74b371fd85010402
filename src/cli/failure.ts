import type { Result } from "../model/result.ts";
import { emptySummary, exitCodes } from "../model/result.ts";
import type { Failure } from "../operations/failure.ts";
import { defect, failureOf, single } from "../operations/failure.ts";
import { UsageError } from "./usage-error.ts";

/**
 * A command that could not do its work, in the same shape as one that could. `begun`: requests were sent, so that what
 * is missing on disk is no slip of the command line any more.
 */
export function failureResult(
  error: unknown,
  command: string,
  plan: string,
  version: string,
  begun = false,
): Result {
  const { exitCode, diagnostics, headline, next, details } = describe(error, begun);
  return {
    version,
    command,
    plan,
    exitCode,
    summary: emptySummary(),
    changes: [],
    diagnostics,
    requests: { source: { reads: 0 }, target: { reads: 0, writes: 0 } },
    durationMs: 0,
    headline,
    ...(next === undefined ? {} : { next }),
    ...(details === undefined ? {} : { details }),
  };
}

function describe(error: unknown, begun: boolean): Failure {
  if (error instanceof UsageError) return single(exitCodes.usage, "usage", error.message, error.suggestion);
  return failureOf(error, begun) ?? defect(error);
}
