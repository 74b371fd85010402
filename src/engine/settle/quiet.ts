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
    const lost = doubts.map(({ lostTick }) => lostTick ?? this.#opened);
    return Math.max(0, Math.max(...lost) + this.#periodMs - performance.now());
  }
}
