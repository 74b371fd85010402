import type { Json, JsonObject } from "../model/json.ts";
import { isObject, text } from "../model/json.ts";
import type { Authorization } from "./authorization.ts";
import type { Arrived, ServiceError, ServiceErrorKind } from "./error.ts";
import type { WireAnswer } from "./exchange.ts";
import type { Details, Place } from "./failures.ts";
import { failure } from "./failures.ts";
import { describeProblem, toProblem } from "./problem.ts";
import { parseRetryAfter } from "./retry-after.ts";

/** What 401 and 403 mean depends on how a connection signs in. */
export type WhoAsks = Pick<Authorization, "refused" | "advice" | "who">;

const nobody: WhoAsks = { refused: "who asks is not known", who: "the API client" };

/** The error for an answer outside 2xx (document 1, Errors); undefined for a good one. `now`: milliseconds. */
export function refusal(
  place: Place,
  answer: WireAnswer,
  now: number,
  asks: WhoAsks = nobody,
): ServiceError | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  const isRedirect = status < 400;
  const body = jsonBody(answer);
  const problem = body === undefined ? undefined : toProblem(body, place.cleaner);
  const details: Details = {
    status,
    problem,
    requestId: answeredId(place, answer.headers),
    retryAfterMs: parseRetryAfter(answer.headers.get("retry-after"), now),
    advice: isRedirect ? redirectAdvice : status === 401 ? asks.advice : undefined,
  };
  const said = isRedirect ? leadsTo(place, answer.headers) : describeProblem(problem);
  const [kind, why] = isRedirect ? redirected : meaning(status, isOwn(body), asks);
  const note = said === "" ? "" : `: ${said}`;
  return failure(place, kind, arrival(status), `${why} (${status})${note}`, details);
}

/** Whatever is no success and no error leads elsewhere. */
const redirected = [
  "sign-in",
  "sign-in or wrong address: it answers with a redirect, which is not followed",
] as const;
const redirectAdvice =
  "Write the address of the service itself into the plan (baseUrl, authUrl; https where it has it), and check realm and secret: some answer a sign-in that they do not accept with a page to sign in at. Where a redirect leads, no secret is sent. `ferry doctor PLAN` tests it.";

/** Host alone: what stands behind it may hold a token. */
function leadsTo({ cleaner }: Place, headers: Headers): string {
  const location = headers.get("location");
  if (location === null) return "";
  const here = "https://same.invalid";
  const origin = URL.parse(location, here)?.origin ?? "null";
  if (origin === here) return "it leads to another page of the same host";
  return origin === "null" ? "" : `it leads to ${cleaner.clean(origin, 128)}`;
}

/** The id that the service gave the request, for its operators. */
export function answeredId(place: Place, headers: Headers): string | undefined {
  const id = headers.get("x-request-id") ?? headers.get("x-correlation-id");
  return id === null || id === "" ? undefined : place.cleaner.clean(id, 128);
}

/**
 * A 4xx is definite: refused, so not done. Not so 408 and 499, which speak of a time limit on the way, and a
 * redirect that may follow upon success (RFC 9110: 302 and 303 after POST). A 5xx may have happened.
 */
function arrival(status: number): Arrived {
  if (status === 408 || status === 499 || status >= 500) return "maybe";
  if (status < 400) return [301, 307, 308].includes(status) ? "no" : "maybe";
  return "no";
}

function meaning(status: number, fromService: boolean, asks: WhoAsks): readonly [ServiceErrorKind, string] {
  if (status === 401) return ["sign-in", asks.refused];
  if (status === 403) return ["permission", `${asks.who} has no permission for this`];
  if (status === 404 && fromService) return ["not-found", "does not exist"];
  if (status === 404)
    return ["refused", "not found, and the answer is not the service's own: is the address right?"];
  if (status === 408) return ["timeout", "the request took too long to arrive"];
  if (status === 429) return ["throttled", "too many requests"];
  if (status < 500) return ["refused", "refused"];
  return ["server", "the service failed"];
}

/**
 * Whether the service itself says it: a problem with a type of its own and a title (document 1, Errors), or an exception (document
 * 3). Gateways and frameworks answer with JSON as well, and what they do not find is an address and no object.
 */
function isOwn(body: JsonObject | undefined): boolean {
  if (body === undefined) return false;
  const has = (field: string): boolean => (text(body, field) ?? "") !== "";
  if (has("message") && has("exception")) return true;
  return has("type") && !isOfAnybody(text(body, "type") ?? "") && has("title");
}

/** It says what the status says: frameworks name the chapter of the standard, or an entry of a list of statuses. */
function isOfAnybody(type: string): boolean {
  return type === "about:blank" || /^https?:\/\/[^/]*(?:ietf|rfc-editor|httpstatus)[^/]*\//u.test(type);
}

function jsonBody(answer: WireAnswer): JsonObject | undefined {
  try {
    const value = JSON.parse(answer.text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
