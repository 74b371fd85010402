import type { Authorization } from "./authorization.ts";
import type { Call, Interpret } from "./call.ts";
import type { Clock } from "./clock.ts";
import { ServiceError } from "./error.ts";
import type { ClientEvent } from "./events.ts";
import { ExchangeFailure, exchange } from "./exchange.ts";
import type { WireAnswer } from "./exchange.ts";
import { exchangeError } from "./failures.ts";
import type { Place } from "./failures.ts";
import { refusal } from "./refusal.ts";
import { final } from "./retry.ts";
import type { Care } from "./retry.ts";
import type { Stop } from "./stop.ts";
import type { Traffic } from "./traffic.ts";
import { understand } from "./understand.ts";

/** What an attempt needs of the client it belongs to. */
export interface Base {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Of one answer, unpacked. */
  readonly mostBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly stop: Stop;
  readonly traffic: Traffic;
  readonly authorization: Authorization;
  readonly sent: { reads: number; writes: number };
  place(method: string, path: string): Place;
  emit(event: ClientEvent): void;
  /** The service asked to wait. */
  hold(error: ServiceError): void;
}

/** One call, ready to be sent as often as needed. */
export interface Prepared {
  readonly call: Call;
  readonly care: Care;
  /** With its question mark, or empty. */
  readonly query: string;
}

/**
 * One attempt of a call; where a token can be renewed, again after 401, which means that the request was not
 * done. Throws ServiceError, or Stopped.
 */
export async function attemptOnce<T>(
  base: Base,
  prepared: Prepared,
  attempt: number,
  interpret: Interpret<T>,
): Promise<T> {
  const { call, care } = prepared;
  const place = base.place(call.method, call.at.path);
  const about = {
    environment: place.environment,
    method: place.method,
    path: place.path,
    write: care !== "read",
  };
  const startedAt = base.clock.steady();
  const durationMs = (): number => base.clock.steady() - startedAt;
  try {
    const answer = await authorised(base, prepared, place);
    const result = understand(answer, place, base.clock.now(), interpret);
    const { requestId } = place;
    const event = {
      type: "done",
      ...about,
      attempt,
      status: answer.status,
      durationMs: durationMs(),
      requestId,
    } as const;
    base.emit(event);
    return result;
  } catch (error) {
    if (error instanceof ServiceError) {
      const { kind, status, requestId = place.requestId } = error;
      const known = status === undefined ? {} : { status };
      base.emit({ type: "failed", ...about, attempt, kind, ...known, durationMs: durationMs(), requestId });
    }
    throw error;
  }
}

/** So often a request is repeated whose token ends while it is on its way, before that is told as a refusal. */
const mostRenewals = 5;

async function authorised(base: Base, prepared: Prepared, place: Place): Promise<WireAnswer> {
  const { authorization } = base;
  let value = await signedIn(() => authorization.value());
  for (let renewals = 0; ; renewals += 1) {
    const answer = await sendOnce(base, prepared, place, value);
    if (answer.status !== 401) {
      authorization.taken(value);
      return accepted(base, place, answer);
    }
    const rejected = value;
    const fresh =
      renewals === mostRenewals
        ? undefined
        : await signedIn(() => authorization.renewed(rejected, renewals > 0));
    if (fresh === undefined) return accepted(base, place, answer);
    value = fresh;
  }
}

/** The token has retries of its own: its failure is final for the call, or the counts would multiply. */
async function signedIn<T>(get: () => Promise<T>): Promise<T> {
  try {
    return await get();
  } catch (error) {
    throw error instanceof ServiceError ? final(error) : error;
  }
}

async function sendOnce(
  base: Base,
  prepared: Prepared,
  place: Place,
  authorization: string,
): Promise<WireAnswer> {
  const { call, care, query } = prepared;
  const { headers, stop, timeoutMs, mostBytes } = base;
  // The last moment: what is sent from here on counts, and a write is not stopped any more.
  stop.check();
  base.sent[care === "read" ? "reads" : "writes"] += 1;
  const startedAt = base.clock.steady();
  const { environment } = place;
  base.emit({ type: "sent", environment });
  try {
    const answer = await exchange({
      url: `${base.baseUrl}${place.path}${query}`,
      method: call.method,
      headers: {
        ...headers,
        authorization,
        "x-request-id": place.requestId,
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      timeoutMs,
      mostBytes,
      ...(care === "read" ? { stop } : {}),
    });
    if (answer.status === 429 || answer.status === 503) base.traffic.overloaded(startedAt);
    else base.traffic.answered(call.at.route, startedAt);
    return answer;
  } catch (error) {
    if (!(error instanceof ExchangeFailure)) throw error;
    if (error.how === "timeout") base.traffic.overloaded(startedAt);
    throw exchangeError(place, error, base.baseUrl);
  } finally {
    base.emit({ type: "ended", environment });
  }
}

function accepted(base: Base, place: Place, answer: WireAnswer): WireAnswer {
  const refused = refusal(place, answer, base.clock.now(), base.authorization);
  if (refused === undefined) return answer;
  // Only these ask the client to slow down; a 404 with Retry-After would not.
  if (refused.kind === "throttled" || refused.kind === "server") base.hold(refused);
  throw refused;
}
