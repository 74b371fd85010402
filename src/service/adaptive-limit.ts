/** How many requests may be in flight before anything is known about the service. */
const initial = 4;
/** Latency counts as rising when it is this many times, and this many milliseconds, above the usual. */
const risingFactor = 2;
const risingMs = 250;
/** Answers of a route before its latency is judged. */
const warmUp = 10;

interface Latency {
  samples: number;
  /** Falls fast and rises slowly: what the route takes when the service is well. */
  usual: number;
  /** The last few answers. */
  recent: number;
}

/**
 * Additive increase, multiplicative decrease: one more after every round of good answers,
 * half after 429, 503, a timeout, or answers that become slower. Pure: it never reads a clock; times are in
 * milliseconds.
 */
export class AdaptiveLimit {
  readonly #most: number;
  #limit: number;
  #good = 0;
  #cutAt = Number.NEGATIVE_INFINITY;
  readonly #latencies = new Map<string, Latency>();

  constructor(most: number) {
    this.#most = Math.max(1, Math.floor(most));
    this.#limit = Math.min(initial, this.#most);
  }

  get value(): number {
    return this.#limit;
  }

  /** An answer came. Each route has its own usual latency: a batch of 100 is not slow, it is big. */
  answered(route: string, startedAt: number, now: number): void {
    if (this.#rising(route, now - startedAt)) {
      this.overloaded(startedAt, now);
      return;
    }
    this.#good += 1;
    if (this.#good < this.#limit) return;
    this.#good = 0;
    this.#limit = Math.min(this.#most, this.#limit + 1);
  }

  /** The service is overloaded. A volley that was sent before the last cut is one sign, not many. */
  overloaded(startedAt: number, now: number): void {
    this.#good = 0;
    if (startedAt <= this.#cutAt) return;
    this.#cutAt = now;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }

  #rising(route: string, took: number): boolean {
    const known = this.#latencies.get(route);
    if (known === undefined) {
      this.#latencies.set(route, { samples: 1, usual: took, recent: took });
      return false;
    }
    known.samples += 1;
    known.recent += 0.3 * (took - known.recent);
    known.usual += (took < known.usual ? 0.3 : 0.02) * (took - known.usual);
    if (known.samples < warmUp) return false;
    if (known.recent <= risingFactor * known.usual || known.recent <= known.usual + risingMs) return false;
    // Judge afresh after the cut: the answers on their way still show the old load.
    known.recent = known.usual;
    return true;
  }
}
