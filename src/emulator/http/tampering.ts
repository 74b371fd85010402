import type { FaultEffect } from "../faults.ts";
import { isArray, isObject, type Json } from "../json.ts";
import type { Answer, Tampering } from "./call.ts";

/** What an effect changes inside the handling of a request. */
export function tamperingOf(effect: FaultEffect | undefined, now: number, request: number): Tampering {
  switch (effect?.type) {
    case "stale-list": {
      const { ms, requests } = effect;
      return {
        hides: ({ born }) =>
          (ms !== undefined && born.at > now - ms) ||
          (requests !== undefined && born.request >= request - requests),
      };
    }
    case "repeat-cursor":
      return { repeatsCursor: true };
    case "partial-commit":
      return { commitLimit: effect.count };
    default:
      return {};
  }
}

export const page =
  "<!doctype html><html><head><title>Please wait</title></head><body>One moment.</body></html>";

/** What an effect changes in the answer to a request that was handled as usual. */
export function tamperedAnswer(answer: Answer, effect: FaultEffect): Answer {
  switch (effect.type) {
    case "garbage":
      return { status: 200, html: page };
    case "missing-items": {
      const { indexes, count = 1 } = effect;
      return withResults(answer, (results) =>
        results.filter((_, index) =>
          indexes === undefined ? index < results.length - count : !indexes.includes(index),
        ),
      );
    }
    case "duplicate-items":
      return withResults(answer, (results) => [...results.slice(0, 1), ...results]);
    case "reorder-items":
      return withResults(answer, (results) => results.toReversed());
    default:
      return answer;
  }
}

/** Only a 207 has results; any other answer stays as it is. */
function withResults(answer: Answer, change: (results: Json[]) => Json[]): Answer {
  const { body } = answer;
  if (answer.status !== 207 || !isObject(body) || !isArray(body["results"])) return answer;
  return { ...answer, body: { ...body, results: change(body["results"]) } };
}
