import type { Cleaner } from "./cleaner.ts";
import type { Arrived, Problem, ServiceErrorFields, ServiceErrorKind } from "./error.ts";
import { FailureCause, ServiceError } from "./error.ts";
import type { ExchangeFailure } from "./exchange.ts";

/** Where a request goes, as its errors name it. */
export interface Place {
  /** Name of the environment. */
  readonly environment: string;
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  readonly cleaner: Cleaner;
}

export interface Details {
  readonly status?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly advice?: string | undefined;
  readonly cause?: FailureCause | undefined;
}

/** Message: what, where, why. `why` is a clause without a full stop and is already clean. */
export function failure(
  place: Place,
  kind: ServiceErrorKind,
  arrived: Arrived,
  why: string,
  details: Details = {},
): ServiceError {
  const fields: ServiceErrorFields = {
    kind,
    arrived,
    method: place.method,
    path: place.path,
    requestId: details.requestId ?? place.requestId,
    ...(details.status === undefined ? {} : { status: details.status }),
    ...(details.problem === undefined ? {} : { problem: details.problem }),
    ...(details.retryAfterMs === undefined ? {} : { retryAfterMs: details.retryAfterMs }),
    ...(details.advice === undefined ? {} : { advice: details.advice }),
    ...(details.cause === undefined ? {} : { cause: details.cause }),
  };
  const where = place.cleaner.clean(`${place.method} ${place.path} at "${place.environment}"`);
  return new ServiceError(`${where}: ${why}`, fields);
}

const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at this address",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up now",
  // The first bytes of what answers are none of TLS: it speaks http, or something else altogether.
  ERR_SSL_WRONG_VERSION_NUMBER: "what answers there speaks no https",
  ECONNRESET: "the connection was reset",
  UND_ERR_SOCKET: "the connection was closed",
  // Of a proxy that asks who we are (407), or refuses, the platform says no more.
  UND_ERR_ABORTED: "no connection was made, and no reason is given; a proxy may have refused it",
  UND_ERR_CONNECT_TIMEOUT: "no connection was made in time",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "it says two different lengths of itself",
  UND_ERR_HEADERS_OVERFLOW: "its headers are too long",
  Z_DATA_ERROR: "it is not packed as it says",
  Z_BUF_ERROR: "what was packed breaks off",
};

function meaningOf(code: string): string | undefined {
  // Brotli has a code for every way in which bytes can be none of its own.
  return codes[code] ?? (/^(?:Z_|ERR__ERROR_FORMAT)/u.test(code) ? codes["Z_DATA_ERROR"] : undefined);
}

/** Host and port, also where the port is that of the protocol. */
function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port === "" ? (protocol === "http:" ? 80 : 443) : port}`;
}

const meanings: Readonly<Record<ExchangeFailure["how"], readonly [ServiceErrorKind, string]>> = {
  timeout: ["timeout", "timed out"],
  network: ["unreachable", "not reachable"],
  cut: ["unreadable", "the answer breaks off"],
  encoding: ["unreadable", "the answer is not valid UTF-8"],
  "too-large": ["unreadable", "the answer was not read to its end"],
};

/** The error for an answer that did not come, or not whole, from the machine of this address. */
export function exchangeError(place: Place, failed: ExchangeFailure, address: string): ServiceError {
  const { network, status } = failed;
  const reason = place.cleaner.clean(network.message, 300);
  const cause = new FailureCause(reason, network.code);
  const code = network.code === undefined ? undefined : meaningOf(network.code);
  const why = code === undefined ? reason : `${code} (${reason})`;
  const [kind, what] = meanings[failed.how];
  const arrived = status === undefined ? network.arrived : "maybe";
  const where = kind === "unreachable" ? ` at ${place.cleaner.clean(hostOf(address))}` : "";
  return failure(place, kind, arrived, `${what}${where}: ${why}`, { status, cause });
}
