import PQueue from "p-queue";
import { AdaptiveLimit } from "./adaptive-limit.ts";
import type { Clock } from "./clock.ts";
import type { Stop } from "./stop.ts";

/**
 * Lets requests through: never more at once than the adaptive limit, and none at all while the service has
 * asked to wait. What waits to be tried again does not occupy a place.
 */
export class Traffic {
  readonly #queue: PQueue;
  readonly #limit: AdaptiveLimit;
  readonly #bound: number;
  readonly #clock: Clock;
  readonly #stop: Stop;
  readonly #onLimit: (limit: number) => void;
  #door: Promise<void> = Promise.resolve();
  #heldUntil = Number.NEGATIVE_INFINITY;

  constructor(concurrency: number, clock: Clock, stop: Stop, onLimit: (limit: number) => void) {
    this.#limit = new AdaptiveLimit(concurrency);
    this.#queue = new PQueue({ concurrency: this.#limit.value });
    this.#bound = Math.max(1, 2 * Math.floor(concurrency));
    this.#clock = clock;
    this.#stop = stop;
    this.#onLimit = onLimit;
  }

  /** Runs a task when its turn has come. Throws `Stopped` when the client stops before that. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    // Back-pressure: callers wait here, so that the queue itself stays short. One of them watches the queue
    // and the others stand behind it: all watching would cost the square of their number.
    const turn = this.#door.then(() => this.#queue.onSizeLessThan(this.#bound));
    this.#door = turn;
    await turn;
    return await this.#queue.add(async () => {
      await this.#gate();
      return await task();
    });
  }

  /** Nothing is sent for that long, milliseconds. A shorter wish does not end a longer one. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.steady() + ms);
  }

  answered(route: string, startedAt: number): void {
    this.#limit.answered(route, startedAt, this.#clock.steady());
    this.#adapt();
  }

  overloaded(startedAt: number): void {
    this.#limit.overloaded(startedAt, this.#clock.steady());
    this.#adapt();
  }

  async idle(): Promise<void> {
    await this.#queue.onIdle();
  }

  async #gate(): Promise<void> {
    this.#stop.check();
    // Again after each wait: another answer may have asked for more in the meantime.
    for (let left = this.#left(); left > 0; left = this.#left()) await this.#stop.sleep(this.#clock, left);
  }

  #left(): number {
    return this.#heldUntil - this.#clock.steady();
  }

  #adapt(): void {
    if (this.#queue.concurrency === this.#limit.value) return;
    this.#queue.concurrency = this.#limit.value;
    this.#onLimit(this.#limit.value);
  }
}
