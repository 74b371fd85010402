import type { Doubt } from "./subtraction.ts";

/**
 * How long a request whose answer was lost may still take effect. It is counted by a clock that nobody sets: one that
 * was set forward between two processes would make a loss of just now look old. So what an earlier process lost counts
 * from the moment when this one had the target.
 */
export class Quiet {
  readonly #opened = performance.now();
  readonly #periodMs: number;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  /** Milliseconds until all of them are past it. */
  left(doubts: readonly Pick<Doubt, "lostTick">[]): number {
    // There may be more of them than a call takes arguments.
    const last = doubts.reduce((most, { lostTick }) => Math.max(most, lostTick ?? this.#opened), -Infinity);
    return Math.max(0, last + this.#periodMs - performance.now());
  }
}
