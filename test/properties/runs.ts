import type * as fc from "fast-check";
import { isWhole } from "../support/whole.ts";

/**
 * How often a property is tried, and with which seed. A failure prints its seed and path; FC_SEED and FC_PATH bring
 * it back, FC_RUNS tries more often than the suite does by itself. `npm test` tries a fourth as often, and whole migrations a
 * sixth as often.
 */
export function runs<T>(byDefault: number, msEach = 100): fc.Parameters<T> {
  const seed = numberFrom("FC_SEED");
  const path = process.env["FC_PATH"];
  return {
    numRuns: numberFrom("FC_RUNS") ?? (isWhole ? byDefault : Math.ceil(byDefault / (msEach <= 100 ? 4 : 6))),
    // What takes longer, the search for a smaller failure above all, ends before the test does and is told.
    interruptAfterTimeLimit: patience(msEach) * 0.8,
    markInterruptAsFailure: true,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  };
}

/** Whether one failure is brought back, and not a sample tried. */
export const isReplay: boolean = process.env["FC_PATH"] !== undefined;

/** The time, in milliseconds, that a test may take when each run takes at most this long. */
export function patience(msEach = 100): number {
  return Math.max(60_000, (numberFrom("FC_RUNS") ?? 0) * msEach);
}

function numberFrom(name: string): number | undefined {
  const value = process.env[name];
  if (value === undefined || value === "") return undefined;
  const number = Number(value);
  if (!Number.isInteger(number)) throw new Error(`${name} must be an integer, not ${value}`);
  return number;
}
