import type { Arrived } from "./error.ts";

/** What an exception of fetch tells, without the exception: that one holds the request and its headers. */
export interface NetworkFailure {
  readonly code?: string;
  readonly message: string;
  readonly arrived: Extract<Arrived, "no" | "maybe">;
  /** The platform's own time limit, not ours. */
  readonly timedOut: boolean;
}

/** No connection, so nothing was sent, whatever the system call. */
const neverConnected = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);
const platformTimeouts = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const certificate =
  /^(?:CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|ERR_SSL_(?:WRONG_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS|.*HANDSHAKE))/u;

/** The code of an answer that was not read to its end because it is too large; the platform has none for it. */
export const tooLarge = "ANSWER_TOO_LARGE";

/** A certificate or protocol that does not fit: it will not fit in a minute either. */
export function isCertificateFailure(code: string | undefined): boolean {
  return code !== undefined && certificate.test(code);
}

/** Of a proxy that asks who we are (407) the platform says nothing at all. */
const unsaid = "no reason is given; a proxy may have refused it";

/** Walks to the innermost cause; an AggregateError (several addresses of a host) counts by all its parts. */
export function networkFailure(error: unknown): NetworkFailure {
  const root = rootOf(error);
  const code = codeOf(root);
  return {
    ...(code === undefined ? {} : { code }),
    message: code ?? (root instanceof Error ? root.message || unsaid : "unknown"),
    arrived: beforeSending(root) ? "no" : "maybe",
    timedOut: code !== undefined && platformTimeouts.has(code),
  };
}

function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError) {
    for (const part of error.errors) {
      const code = codeOf(part);
      if (code !== undefined) return code;
    }
  }
  return undefined;
}

/** ECONNRESET and ETIMEDOUT occur before and after sending: only the system call tells which. */
function beforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(beforeSending);
  const code = codeOf(error);
  if (code === undefined) return false;
  if (neverConnected.has(code) || isCertificateFailure(code)) return true;
  if ("syscall" in error && error.syscall === "connect") return true;
  return code === "ECONNRESET" && error.message.includes("before secure TLS connection was established");
}
