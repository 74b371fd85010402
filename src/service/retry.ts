import pRetry, { AbortError } from "p-retry";
import type { Clock } from "./clock.ts";
import { ServiceError } from "./error.ts";
import { isCertificateFailure, tooLarge } from "./network-failure.ts";
import type { Stop } from "./stop.ts";

/** Back-off steps, milliseconds: 500, 1000, 2000, ... 20,000. The wait is a random part of the step. */
const firstStep = 500;
const longestStep = 20_000;
/** Ends the loop also when chance keeps the waits, and so the use of the budget, near zero. */
const mostRetries = 40;
/** For what hardly ever heals, such as an address where nobody has ever answered: it must fail in seconds. */
const fewRetries = 2;

export interface RetrySettings {
  /** What all waits of one call together may take, milliseconds. */
  readonly budgetMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** The environment has answered before: it is down now, not misspelt. */
  readonly met: () => boolean;
  readonly stop: Stop;
  readonly onRetry: (error: ServiceError, attempt: number, waitMs: number) => void;
}

/**
 * What a call may be tried again for: a write only where it is known not to have happened (README, promise 1), an upsert
 * (document 3: by origin and source id) also where nobody knows, since it leaves the same behind when it comes twice.
 */
export type Care = "read" | "write" | "upsert";

type Persistence = "never" | "briefly" | "within budget";

/** How long to insist after this error. */
export function persistence(error: ServiceError, care: Care, met = true): Persistence {
  const code = error.cause instanceof Error && "code" in error.cause ? error.cause.code : undefined;
  if (care === "write" && error.arrived !== "no") return "never";
  switch (error.kind) {
    case "throttled":
    case "timeout":
      return "within budget";
    case "unreachable":
      if (isCertificateFailure(typeof code === "string" ? code : undefined)) return "never";
      return code === "ENOTFOUND" || !met ? "briefly" : "within budget";
    case "server":
      // A write that the service itself says has failed (document 3, Errors: 500) hardly succeeds the next time.
      if (care === "upsert" && error.status === 500 && error.problem !== undefined) return "briefly";
      // Not implemented, version not supported: the same tomorrow.
      return error.status === 501 || error.status === 505 ? "never" : "within budget";
    case "unreadable":
      // It will be as large the next time.
      if (code === tooLarge) return "never";
      // A broken connection (it has a code) heals; a page of HTML or a body of another shape rarely does.
      return code === undefined ? "briefly" : "within budget";
    default:
      return "never";
  }
}

/** Wraps an error that is final whatever its kind, because it has been retried already. */
export function final(error: ServiceError): Error {
  return new AbortError(error);
}

/**
 * Tries until it works, the error is final or the budget is used up; throws the last error, or Stopped.
 * p-retry runs the loop with no wait of its own: it knows nothing of Retry-After, of the budget or of the
 * clock. It does not get the signal either: it would drop the answer of a write that has been done.
 */
export async function withRetries<T>(
  care: Care,
  settings: RetrySettings,
  attempt: (number: number) => Promise<T>,
): Promise<T> {
  let left = settings.budgetMs;
  let brief = 0;
  return await pRetry(attempt, {
    retries: mostRetries,
    minTimeout: 0,
    onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
      if (!(error instanceof ServiceError) || retriesLeft === 0 || left <= 0) throw error;
      const insist = persistence(error, care, settings.met());
      if (insist === "briefly") brief += 1;
      if (insist === "never" || brief > fewRetries) throw error;
      const step = Math.min(longestStep, firstStep * 2 ** (attemptNumber - 1));
      const wait =
        error.retryAfterMs === undefined
          ? settings.random() * step
          : error.retryAfterMs + settings.random() * firstStep;
      const taken = Math.min(Math.round(wait), left);
      left -= taken;
      settings.onRetry(error, attemptNumber, taken);
      await settings.stop.sleep(settings.clock, taken);
    },
  });
}
