import { describe, expect, test } from "vitest";
import type { StepAnswer, StepItem } from "../../src/kinds/kind.ts";
import { one, pairAnswers, withUrn } from "../../src/kinds/shared/batch.ts";
import type { BatchAnswer } from "../../src/service/index.ts";

const item = (source: string): StepItem => ({ source, name: source, body: {}, whole: {} });
const items = ["a", "b", "c"].map(item);

type Result = BatchAnswer["results"][number];
const made = (id: string, urn = `made from ${id}`): Result => ({ id, status: "OK", data: { urn } });
const anonymous = (urn: string): Result => ({ status: "OK", data: { urn } });

function pair(results: readonly Result[]): readonly StepAnswer[] {
  return pairAnswers(items, { results });
}

/** `made from a`, `unknown` or `refused`, one an item. */
function short(answers: readonly StepAnswer[]): readonly string[] {
  return answers.map((answer) => (answer.state === "done" ? (answer.target ?? "no urn") : answer.state));
}

const inOrder = ["made from a", "made from b", "made from c"];

describe("the results of a batch are paired with what was sent", () => {
  test("by their ids, whatever their order", () => {
    expect(short(pair(["a", "b", "c"].map((id) => made(id))))).toEqual(inOrder);
    expect(short(pair(["c", "a", "b"].map((id) => made(id))))).toEqual(inOrder);
  });

  test("an item without a result is in doubt, and the others are not", () => {
    expect(short(pair([made("c"), made("a")]))).toEqual(["made from a", "unknown", "made from c"]);
    expect(pair([made("c"), made("a")])[1]).toEqual({
      state: "unknown",
      reason: "the answer of the batch has no result for it",
    });
    expect(short(pair([]))).toEqual(["unknown", "unknown", "unknown"]);
  });

  test("a result that is there twice and says the same counts once", () => {
    expect(short(pair([made("a"), made("b"), made("c"), made("a")]))).toEqual(inOrder);
  });

  test("two results that disagree leave the item in doubt", () => {
    const answers = pair([made("a"), made("b"), made("c"), made("a", "another")]);
    expect(short(answers)).toEqual(["unknown", "made from b", "made from c"]);
    expect(answers[0]).toMatchObject({ reason: expect.stringContaining("disagree") as string });
  });

  test("a result for something that was never sent belongs to nobody", () => {
    expect(short(pair([made("x"), made("b"), made("c")]))).toEqual(["unknown", "made from b", "made from c"]);
    expect(short(pair([...["a", "b", "c"].map((id) => made(id)), made("x")]))).toEqual(inOrder);
  });

  test("without ids by position, when there are as many results as items", () => {
    expect(short(pair(inOrder.map(anonymous)))).toEqual(inOrder);
  });

  test("without ids and of another number nothing is known of any", () => {
    expect(short(pair(inOrder.slice(1).map(anonymous)))).toEqual(["unknown", "unknown", "unknown"]);
    expect(short(pair([...inOrder, "one more"].map(anonymous)))).toEqual(["unknown", "unknown", "unknown"]);
  });

  test("without ids, but for one that names something else, the position is a guess", () => {
    expect(short(pair([made("x"), ...inOrder.map(anonymous)]))).toEqual(["unknown", "unknown", "unknown"]);
  });

  test("with some ids the position says nothing", () => {
    expect(short(pair([made("c"), anonymous("?"), anonymous("?")]))).toEqual([
      "unknown",
      "unknown",
      "made from c",
    ]);
    // As many without an id as there are items, and one that names an item: the position is a guess.
    expect(short(pair([...inOrder.map(anonymous), made("b", "another")]))).toEqual([
      "unknown",
      "another",
      "unknown",
    ]);
  });
});

describe("what a result says", () => {
  const read = (result: Omit<Result, "id">): StepAnswer | undefined =>
    pairAnswers([item("a")], { results: [{ ...result, id: "a" }] })[0];

  test("OK is done, with the keys that the service assigned", () => {
    const data = { urn: "made", correlationIds: { new_1: "k1", new_2: "k2" } };
    expect(read({ status: "OK", data })).toEqual({
      state: "done",
      target: "made",
      keys: { 1: "k1", 2: "k2" },
      body: data,
    });
    expect(read({ status: "OK" })).toEqual({ state: "done", keys: {} });
  });

  test("a refusal did not happen, and says why", () => {
    expect(
      read({ status: "INVALID_PAYLOAD", error: { title: "Invalid", detail: "name is required" } }),
    ).toEqual({
      state: "refused",
      reason: "INVALID_PAYLOAD: Invalid: name is required",
    });
    expect(read({ status: "NOT_FOUND" })).toEqual({ state: "refused", reason: "NOT_FOUND" });
  });

  test.each(["INTERNAL_SERVER_ERROR", "GATEWAY_TIMEOUT", "SERVICE_UNAVAILABLE", "SERVER_ERROR", ""])(
    "%j does not say whether it happened",
    (status) => {
      expect(read({ status })?.state).toBe("unknown");
    },
  );
});

test("a create that names no URN is in doubt", () => {
  expect(withUrn({ state: "done" })).toEqual({
    state: "unknown",
    reason: "the answer says OK but names no URN",
  });
  const answers: StepAnswer[] = [
    { state: "done", target: "made" },
    { state: "refused", reason: "no" },
    { state: "unknown", reason: "lost" },
  ];
  expect(answers.map(withUrn)).toEqual(answers);
});

test("one by one: in order, and none is begun before the one before it has its answer", async () => {
  const log: string[] = [];
  const answers = await one(items, async ({ source }) => {
    log.push(`${source} begins`);
    await Promise.resolve();
    log.push(`${source} ends`);
    return { state: "done", target: source };
  });
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  expect(answers.map((answer) => answer.state === "done" && answer.target)).toEqual(["a", "b", "c"]);
});
