import type { ServiceErrorKind } from "./error.ts";

/**
 * What the client tells while it works, for logs and progress. Events carry method, path, status and times
 * (milliseconds) only: never a header, a query, a body or a secret (README, promise 8).
 */
export type ClientEvent =
  | RequestSent
  | RequestEnded
  | RequestDone
  | RequestFailed
  | RequestRetried
  | ClientThrottled
  | ConcurrencyChanged
  | TokenRenewed
  | ListAdvanced;

interface OfRequest {
  /** Name of the environment. */
  readonly environment: string;
  readonly method: string;
  readonly path: string;
  readonly write: boolean;
  /** 1 for the first time a call is sent. */
  readonly attempt: number;
}

/** A request is on its way: one attempt may take two, where a token has to be renewed. */
export interface RequestSent {
  readonly type: "sent";
  readonly environment: string;
}

/** Its answer has come, or is not waited for any more. */
export interface RequestEnded {
  readonly type: "ended";
  readonly environment: string;
}

/** An answer was received and understood. */
export interface RequestDone extends OfRequest {
  readonly type: "done";
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
}

/** One attempt failed; a `retry` event follows when there will be another. */
export interface RequestFailed extends OfRequest {
  readonly type: "failed";
  readonly kind: ServiceErrorKind;
  readonly status?: number;
  readonly durationMs: number;
  readonly requestId: string;
}

export interface RequestRetried extends OfRequest {
  readonly type: "retry";
  readonly kind: ServiceErrorKind;
  readonly status?: number;
  readonly waitMs: number;
  /** What all waits of the request together may take. */
  readonly budgetMs: number;
}

/** The service asked to be left alone: the whole client is held back for `waitMs`. */
export interface ClientThrottled {
  readonly type: "throttled";
  readonly environment: string;
  readonly status: number;
  readonly waitMs: number;
}

/** The adaptive limit moved: that many requests may be in flight from now on. */
export interface ConcurrencyChanged {
  readonly type: "concurrency";
  readonly environment: string;
  readonly limit: number;
}

/** A page of a list has come. */
export interface ListAdvanced {
  readonly type: "listed";
  readonly environment: string;
  readonly path: string;
  /** Objects so far. */
  readonly received: number;
  /** `meta.total`, where the service states it. */
  readonly total?: number;
}

export interface TokenRenewed {
  readonly type: "token";
  readonly environment: string;
  readonly lifetimeMs: number;
}
