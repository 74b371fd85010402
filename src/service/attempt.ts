import type { Authorization } from "./authorization.ts";
import type { Call } from "./call.ts";
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
import type { AskedFor, Tape } from "./tape.ts";
import { isForLater } from "./tape.ts";
import type { Traffic } from "./traffic.ts";

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
  readonly tape: Tape | undefined;
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
  /** Only what comes is wanted: the tape is not asked, and a refusal is an answer. */
  readonly isToHear?: true;
  /** The tape was told of its last attempt. */
  isHeard?: boolean;
}

/**
 * One attempt of a call; where a token can be renewed, again after 401, which means that the request was not
 * done. Throws ServiceError, or Stopped.
 */
export async function attemptOnce<T>(
  base: Base,
  prepared: Prepared,
  attempt: number,
  make: (answer: WireAnswer, place: Place) => T,
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
    const result = make(answer, place);
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
      return accepted(base, prepared, place, answer);
    }
    const rejected = value;
    const fresh =
      renewals === mostRenewals
        ? undefined
        : await signedIn(() => authorization.renewed(rejected, renewals > 0));
    if (fresh === undefined) return accepted(base, prepared, place, answer);
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
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const tape =
    care === "read" && prepared.isToHear !== true && base.tape?.isOn === true ? base.tape : undefined;
  const asked: AskedFor = {
    method: call.method,
    path: place.path,
    route: call.at.route,
    query,
    ...(body === undefined ? {} : { body }),
  };
  const taken = tape?.take(asked);
  prepared.isHeard = taken !== undefined;
  if (taken !== undefined) {
    tape?.heard(asked, taken);
    return { status: taken.status, statusText: "", headers: new Headers(), text: taken.text };
  }
  if (care !== "read") base.tape?.miss();
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
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
      isPrinted: tape !== undefined || prepared.isToHear === true,
      timeoutMs,
      mostBytes,
      ...(care === "read" ? { stop } : {}),
    });
    if (answer.status === 429 || answer.status === 503) base.traffic.overloaded(startedAt);
    else base.traffic.answered(call.at.route, startedAt);
    const { status, print } = answer;
    if (print !== undefined && !isForLater(status)) {
      tape?.heard(asked, { status, print });
      prepared.isHeard = true;
    }
    return answer;
  } catch (error) {
    if (!(error instanceof ExchangeFailure)) throw error;
    if (error.how === "timeout") base.traffic.overloaded(startedAt);
    throw exchangeError(place, error, base.baseUrl);
  } finally {
    base.emit({ type: "ended", environment });
  }
}

function accepted(base: Base, prepared: Prepared, place: Place, answer: WireAnswer): WireAnswer {
  if (prepared.isToHear === true && !isForLater(answer.status)) return answer;
  const refused = refusal(place, answer, base.clock.now(), base.authorization);
  if (refused === undefined) return answer;
  // Only these ask the client to slow down; a 404 with Retry-After would not.
  if (refused.kind === "throttled" || refused.kind === "server") base.hold(refused);
  throw refused;
}
