import type { ClientEvent, ClientOptions, Clock, Environment } from "../../src/service/index.ts";
import { ServiceError } from "../../src/service/index.ts";

export const secret = "s3cr3t/with+odd chars&more=";
export const accessToken = "token-one-0123456789";

export const environment: Environment = {
  name: "dev",
  baseUrl: "https://dev.example.com",
  realm: "acme",
  clientId: "robot",
  clientSecret: secret,
};

/** A clock whose sleeps take no time and move it forward; it keeps what was asked of it. */
export class FakeClock implements Clock {
  time = Date.parse("2026-01-01T00:00:00Z");
  readonly sleeps: number[] = [];
  /** By how much somebody has set it. */
  set = 0;

  now(): number {
    return this.time + this.set;
  }

  steady(): number {
    return this.time;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await Promise.resolve();
    signal?.throwIfAborted();
    this.sleeps.push(ms);
    this.time += ms;
  }
}

export interface Setup {
  readonly clock: FakeClock;
  readonly events: ClientEvent[];
  readonly options: ClientOptions;
}

/** `random` gives 1/2, so that every wait is half its step. */
export function setup(more: Partial<ClientOptions> = {}): Setup {
  const clock = new FakeClock();
  const events: ClientEvent[] = [];
  const options: ClientOptions = {
    concurrency: 8,
    requestTimeoutMs: 5000,
    answerSizeBytes: 64 * 1_024 ** 2,
    retryBudgetMs: 120_000,
    userAgent: "urn-ferry/test",
    clock,
    random: () => 0.5,
    onEvent: (event) => events.push(event),
    ...more,
  };
  return { clock, events, options };
}

/** The ServiceError that the work ends with; anything else fails the test. */
export async function serviceError(work: Promise<unknown>): Promise<ServiceError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("expected a ServiceError, but it worked");
}

export async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const result: T[] = [];
  for await (const entry of list) result.push(entry);
  return result;
}

export function urn(type: string, number: number): string {
  return `urn:ata:acme:${type}:00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
