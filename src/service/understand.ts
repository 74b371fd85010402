import type { Json } from "../model/json.ts";
import { parseJson } from "../model/json-text.ts";
import type { Answer, Interpret } from "./call.ts";
import type { ServiceError } from "./error.ts";
import type { WireAnswer } from "./exchange.ts";
import type { Place } from "./failures.ts";
import { failure } from "./failures.ts";
import { toProblem } from "./problem.ts";
import { answeredId } from "./refusal.ts";
import { parseRetryAfter } from "./retry-after.ts";
import { WrongShape } from "./shapes.ts";

/**
 * The result of a 2xx answer. Throws ServiceError `unreadable` for a body that is not JSON or not of the
 * documented shape; what was asked may have been done all the same. `now`: milliseconds.
 */
export function understand<T>(answer: WireAnswer, place: Place, now: number, interpret: Interpret<T>): T {
  const retryAfterMs = parseRetryAfter(answer.headers.get("retry-after"), now);
  const unreadable = (why: string): ServiceError =>
    failure(place, "unreadable", "maybe", `the answer (${answer.status}) is unreadable: ${why}`, {
      status: answer.status,
      requestId: answeredId(place, answer.headers),
    });
  // Nobody asked for a part, and what is left out of one would look absent.
  if (answer.status === 206) throw unreadable("it is only a part of the whole");
  let body: Json | undefined;
  try {
    body = answer.text === "" ? undefined : parseJson(answer.text);
  } catch {
    // The parser's message quotes the body.
    throw unreadable("it is not JSON");
  }
  const good: Answer = {
    status: answer.status,
    body,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    problem: (value) => toProblem(value, place.cleaner),
  };
  try {
    return interpret(good);
  } catch (error) {
    throw error instanceof WrongShape ? unreadable(place.cleaner.clean(error.message, 200)) : error;
  }
}
