/** What went wrong, as far as a caller decides by it. */
export type ServiceErrorKind =
  /** The credentials or the token are not accepted, or the address leads to a sign-in page. */
  | "sign-in"
  /** 403. */
  | "permission"
  /** No connection, or it broke before an answer began. */
  | "unreachable"
  /** No complete answer within the time of one attempt, or a 408. */
  | "timeout"
  /** Any other 4xx, or a request this client will not send. */
  | "refused"
  /** 5xx. */
  | "server"
  /** An answer that is cut, not JSON, or not of the documented shape. */
  | "unreadable"
  /** A listing whose cursor does not advance. */
  | "cursor-repeated"
  /** A 404 that the service itself gave. */
  | "not-found"
  /** 429. */
  | "throttled"
  /** The caller stopped it. */
  | "aborted";

/** Whether the request may have had an effect: `maybe` is what is called in doubt. */
export type Arrived = "no" | "maybe" | "yes";

/** The problem-details body (document 1, Errors); texts are already free of secrets and control characters. */
export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly ProblemEntry[];
}
export interface ProblemEntry {
  readonly detail?: string;
  /** JSON pointer such as `#/terms`. */
  readonly pointer?: string;
}

export interface ServiceErrorFields {
  readonly kind: ServiceErrorKind;
  readonly arrived: Arrived;
  readonly method: string;
  /** Path only: queries are left out. */
  readonly path: string;
  readonly status?: number;
  readonly problem?: Problem;
  /** From the answer when it names one, otherwise the one that was sent as X-Request-Id. */
  readonly requestId?: string;
  /** What the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** What a person does about it, where this client knows better than the kind of the error tells. */
  readonly advice?: string;
  /** Never the original error: those of the HTTP library hold the request with its Authorization header. */
  readonly cause?: FailureCause;
}

/** What is safe to keep of an error of the network. */
export class FailureCause extends Error {
  override readonly name = "FailureCause";
  /** Such as ECONNREFUSED; absent when the platform gave none. */
  readonly code?: string;

  constructor(message: string, code?: string) {
    super(message);
    if (code !== undefined) this.code = code;
  }
}

/** The one error of this client. The message says what, where and why, and holds no secret. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly kind: ServiceErrorKind;
  readonly arrived: Arrived;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly problem?: Problem;
  readonly requestId?: string;
  readonly retryAfterMs?: number;
  readonly advice?: string;

  constructor(message: string, fields: ServiceErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.kind = fields.kind;
    this.arrived = fields.arrived;
    this.method = fields.method;
    this.path = fields.path;
    if (fields.status !== undefined) this.status = fields.status;
    if (fields.problem !== undefined) this.problem = fields.problem;
    if (fields.requestId !== undefined) this.requestId = fields.requestId;
    if (fields.retryAfterMs !== undefined) this.retryAfterMs = fields.retryAfterMs;
    if (fields.advice !== undefined) this.advice = fields.advice;
  }
}

/** The same error, where more is known of whether the request may have had an effect. */
export function withArrival(error: ServiceError, arrived: Arrived): ServiceError {
  return new ServiceError(error.message, {
    kind: error.kind,
    arrived,
    method: error.method,
    path: error.path,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.problem === undefined ? {} : { problem: error.problem }),
    ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    ...(error.advice === undefined ? {} : { advice: error.advice }),
    ...(error.cause instanceof FailureCause ? { cause: error.cause } : {}),
  });
}
