import { setTimeout as delay } from "node:timers/promises";

/** Time as the client sees it; tests pass a fake one. All values are milliseconds. */
export interface Clock {
  /** Milliseconds since 1970, as `Date.now()`. */
  now(): number;
  /** Milliseconds since some moment, by a clock that nobody sets: for how long something takes, or is to wait. */
  steady(): number;
  /** Resolves after `ms`; rejects as soon as `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A longer timer fires at once in Node, which would turn a long wait into a tight loop. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(Math.min(ms, longestTimer), undefined, signal === undefined ? {} : { signal });
  },
};
