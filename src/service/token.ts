import type { Clock } from "./clock.ts";

export interface Token {
  readonly value: string;
  readonly lifetimeMs: number;
}

/** Renewal begins this long before the end, or after nine tenths of the lifetime when that is later. */
const longestMargin = 30_000;

/**
 * Keeps the access token (document 1, Authentication 4 and 5): reused until shortly before it expires, obtained
 * once however many callers need it. `obtain` throws ServiceError.
 */
export class TokenSource {
  readonly #obtain: () => Promise<Token>;
  readonly #clock: Clock;
  #current: { readonly value: string; readonly renewAt: number } | undefined;
  #flight: Promise<string> | undefined;
  /** The newest one that the service has taken. */
  #taken: string | undefined;

  constructor(obtain: () => Promise<Token>, clock: Clock) {
    this.#obtain = obtain;
    this.#clock = clock;
  }

  async get(): Promise<string> {
    if (this.#current !== undefined && this.#clock.now() < this.#current.renewAt) return this.#current.value;
    this.#flight ??= this.#renew().finally(() => {
      this.#flight = undefined;
    });
    return await this.#flight;
  }

  /** A token that is not the rejected one; callers that were rejected together share one renewal. */
  async replace(rejected: string): Promise<string> {
    if (this.#current?.value === rejected) this.#current = undefined;
    return await this.get();
  }

  /** The service has taken a request with it. */
  taken(value: string): void {
    this.#taken = value;
  }

  /** Whether it was good, or another one has taken its place: one that never was is not made good by the next. */
  wasGood(value: string): boolean {
    return this.#taken === value || (this.#current !== undefined && this.#current.value !== value);
  }

  async #renew(): Promise<string> {
    // The lifetime counts from before the request: the service's clock started somewhere after that.
    const asked = this.#clock.now();
    const token = await this.#obtain();
    const margin = Math.min(longestMargin, token.lifetimeMs / 10);
    this.#current = { value: token.value, renewAt: asked + token.lifetimeMs - margin };
    return token.value;
  }
}
