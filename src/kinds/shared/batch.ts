import { child, text } from "../../model/json.ts";
import { keysFromCorrelationIds } from "../../model/sub-entity.ts";
import type { BatchAnswer } from "../../service/index.ts";
import type { StepAnswer, StepItem } from "../kind.ts";

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
    const found = byId.get(item.source) ?? (positional ? anonymous.slice(index, index + 1) : []);
    const [first, ...others] = found;
    if (first === undefined)
      return { state: "unknown", reason: "the answer of the batch has no result for it" };
    if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first))) {
      return { state: "unknown", reason: "the answer of the batch has several results for it that disagree" };
    }
    return first;
  });
}

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
  // An item-level server error does not say whether the item was committed.
  return /INTERNAL|SERVER|TIMEOUT|UNAVAILABLE/i.test(result.status) || result.status === ""
    ? { state: "unknown", reason }
    : { state: "refused", reason };
}

/** A create must name what it made; an answer without a URN is unreadable. */
export function withUrn(answer: StepAnswer): StepAnswer {
  return answer.state === "done" && answer.target === undefined
    ? { state: "unknown", reason: "the answer says OK but names no URN" }
    : answer;
}

export async function one<T>(
  items: readonly T[],
  send: (item: T) => Promise<StepAnswer>,
): Promise<readonly StepAnswer[]> {
  const answers: StepAnswer[] = [];
  for (const item of items) answers.push(await send(item));
  return answers;
}
