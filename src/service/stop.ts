import { setMaxListeners } from "node:events";
import type { Clock } from "./clock.ts";

/** Thrown inside the client when it was told to stop; callers see ServiceError `aborted`. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

const stopped = new Stopped();

/** One place that knows whether the client has been stopped, by its caller's signal or by `close`. */
export class Stop {
  readonly #controller = new AbortController();
  readonly #onStop = new Set<() => void>();
  readonly #detach: () => void;

  constructor(outer: AbortSignal | undefined) {
    // Every wait listens on it; the warning about many listeners would be noise.
    setMaxListeners(0, this.#controller.signal);
    const stop = (): void => {
      this.now();
    };
    outer?.addEventListener("abort", stop, { once: true });
    this.#detach = () => outer?.removeEventListener("abort", stop);
    if (outer?.aborted === true) this.now();
  }

  get stopped(): boolean {
    return this.#controller.signal.aborted;
  }

  now(): void {
    this.#detach();
    // With a reason of our own: the platform's is an error that knows where it was made, which costs more than all of this.
    this.#controller.abort(stopped);
    for (const callback of this.#onStop) callback();
    this.#onStop.clear();
  }

  check(): void {
    if (this.stopped) throw new Stopped();
  }

  /** Calls back once when stopped; returns what takes the callback away again. */
  whenStopped(callback: () => void): () => void {
    this.#onStop.add(callback);
    return () => this.#onStop.delete(callback);
  }

  /** Waits; throws `Stopped` as soon as the client is stopped. */
  async sleep(clock: Clock, ms: number): Promise<void> {
    this.check();
    try {
      await clock.sleep(ms, this.#controller.signal);
    } catch (error) {
      this.check();
      throw error;
    }
    this.check();
  }
}
