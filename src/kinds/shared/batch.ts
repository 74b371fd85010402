import type { JsonObject } from "../../model/json.ts";
import { child, text } from "../../model/json.ts";
import { keysFromCorrelationIds, sourceKeyOf, subEntityKeys } from "../../model/sub-entity.ts";
import type { BatchAnswer } from "../../service/index.ts";
import type { StepAnswer, StepItem } from "../kind.ts";

/**
 * An item of a batch. Its id is the caller's own (document 2, "Batch create"), and what the answer is paired by: where an object has
 * a field of that name, which no document shows, that has no place there.
 */
export function withId({ source, body }: StepItem): JsonObject {
  return { ...body, id: source };
}

/**
 * Pairs the results of a 207 with the items that were sent: by the echoed id, else by position when the answer has
 * as many results as there were items and none names another (document 2, "Batch create"). An item without a
 * result, or with two that disagree, is in doubt.
 */
export function pairAnswers(items: readonly StepItem[], answer: BatchAnswer): readonly StepAnswer[] {
  const ids = new Set(items.map((item) => item.source));
  const byId = new Map<string, StepAnswer[]>();
  const anonymous: StepAnswer[] = [];
  for (const result of answer.results) {
    const read = readResult(result);
    if (result.id === undefined) anonymous.push(read);
    else if (ids.has(result.id)) byId.set(result.id, [...(byId.get(result.id) ?? []), read]);
  }
  const positional = anonymous.length === items.length && anonymous.length === answer.results.length;
  return items.map((item, index) => {
    const inPlace = positional ? anonymous.slice(index, index + 1) : [];
    const found = byId.get(item.source) ?? inPlace.filter((answered) => belongsTo(item, answered));
    const [first, ...others] = found;
    if (first === undefined)
      return { state: "unknown", reason: "the answer of the batch has no result for it" };
    if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first))) {
      return { state: "unknown", reason: "the answer of the batch has several results for it that disagree" };
    }
    return first;
  });
}

/** Keys that the item did not send are another item's: then the position says nothing. */
function belongsTo(item: StepItem, answer: StepAnswer): boolean {
  if (answer.state !== "done") return true;
  const sent = new Set([...subEntityKeys(item.body)].map(sourceKeyOf));
  return Object.keys(answer.keys ?? {}).every((key) => sent.has(key));
}

/**
 * Complaints about the item itself: it was looked at and not taken. Two are documented (document 2, Errors), "or
 * another error status"; what is not known to be a refusal does not say whether the item was committed. Nor do 408 and 499, which
 * speak of a time limit.
 */
const refusal =
  /^(VALIDATION(_ERROR|_FAILED)?|INVALID(?!_RESPONSE)(_\w+)?|BAD_REQUEST|MALFORMED(_\w+)?|ILLEGAL_ARGUMENT|UNSUPPORTED(_\w+)?|(\w+_)?NOT_(FOUND|ALLOWED|SUPPORTED|PERMITTED|UNIQUE)|FORBIDDEN|UNAUTHORI[SZ]ED|PERMISSION_DENIED|ACCESS_DENIED|CONFLICT|DUPLICATE(_\w+)?|(\w+_)?ALREADY_EXISTS|LIMIT_EXCEEDED|PRECONDITION_FAILED|4(?!08|99)\d\d)$/i;

function readResult(result: BatchAnswer["results"][number]): StepAnswer {
  if (result.status === "OK") {
    const target = result.data === undefined ? undefined : text(result.data, "urn");
    const keys = keysFromCorrelationIds(
      result.data === undefined ? undefined : child(result.data, "correlationIds"),
    );
    return {
      state: "done",
      ...(target === undefined ? {} : { target }),
      keys,
      ...(result.data === undefined ? {} : { body: result.data }),
    };
  }
  const { error } = result;
  const said = [error?.title, error?.detail].filter((part) => part !== undefined && part !== "").join(": ");
  const reason = said === "" ? result.status : `${result.status}: ${said}`;
  return refusal.test(result.status)
    ? { state: "refused", reason }
    : { state: "unknown", reason, failed: true };
}

/** Answers that name no URN of their own are about what was asked for. */
export function ofTheAsked(
  items: readonly StepItem[],
  answers: readonly StepAnswer[],
): readonly StepAnswer[] {
  return answers.map((answer, index) =>
    answer.state === "done" ? { state: "done", target: items[index]?.target ?? "" } : answer,
  );
}

/** The item that a complaint points at: `place` is the pointer with the item's number as its first group. */
export function pointedAt(pointers: readonly string[], place: RegExp): number | undefined {
  const index = pointers.map((pointer) => place.exec(pointer)?.[1]).find((found) => found !== undefined);
  return index === undefined ? undefined : Number(index);
}

/** The same in `{ data: [...] }`. */
export function pointedInData(pointers: readonly string[]): number | undefined {
  return pointedAt(pointers, /^#?\/data\/(\d+)(\/|$)/);
}

/** A create must name what it made; an answer without a URN is unreadable. */
export function withUrn(answer: StepAnswer): StepAnswer {
  return answer.state === "done" && answer.target === undefined
    ? { state: "unknown", reason: "the answer says OK but names no URN" }
    : answer;
}

/** The object that an answer to a change is about: the one that was asked for, unless it says otherwise. */
export function about(body: JsonObject | undefined, item: StepItem): string {
  return (body === undefined ? undefined : text(body, "urn")) ?? item.target ?? "";
}

export async function one<T>(
  items: readonly T[],
  send: (item: T) => Promise<StepAnswer>,
): Promise<readonly StepAnswer[]> {
  const answers: StepAnswer[] = [];
  for (const item of items) answers.push(await send(item));
  return answers;
}
