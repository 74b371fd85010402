import type { Clock } from "./clock.ts";
import type { ClientEvent } from "./events.ts";
import type { Tape } from "./tape.ts";

/** One tenant of the service and how to sign in (document 1, Authentication). */
export interface Environment {
  readonly name: string;
  /** `{base_url}` of the documents: scheme and host, perhaps a path; no credentials in it. */
  readonly baseUrl: string;
  /** `{auth_url}`; the base address when absent. */
  readonly authUrl?: string;
  /** The name of the tenant. */
  readonly realm: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A master-data server of an environment: a connection of its own (document 3, Authentication). */
export interface MasterDataEnvironment {
  /** How messages call it. */
  readonly name: string;
  /** `{mdm_base}` of the document. */
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
}

/** All times in milliseconds. */
export interface ClientOptions {
  /** Most requests in flight; starts at 4 or less and adapts. */
  readonly concurrency: number;
  /** One attempt, from sending to the last byte of the body. */
  readonly requestTimeoutMs: number;
  /** No answer is read beyond it, as it was sent or unpacked; bytes. */
  readonly answerSizeBytes: number;
  /** What one call may spend waiting between its attempts; usually 120,000. */
  readonly retryBudgetMs: number;
  readonly userAgent: string;
  /** More that must never be shown, such as the secret of the other environment. */
  readonly secrets?: readonly string[];
  /** Stops reads, waits and retries; a write in flight is left to finish. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ClientEvent) => void;
  /** Hears what is read. */
  readonly tape?: Tape;
  readonly clock?: Clock;
  /** 0 <= value < 1, for jitter. */
  readonly random?: () => number;
}
