import { expect, test } from "vitest";
import { carriedOutcome, doneOutcome, lostFrom, sentFrom } from "../../../src/engine/records/carried.ts";
import type { OpenRow } from "../../../src/engine/records/open-rows.ts";

const key = "A";
const policy = { drift: "overwrite", conflict: "source-wins", missingTarget: "recreate" } as const;
const row = (more: Partial<OpenRow> = {}, target?: string): OpenRow => ({
  state: "sent",
  run: "r",
  intent: {
    key,
    name: "A",
    action: "update",
    values: { name: "b" },
    ...(target === undefined ? {} : { target }),
  },
  ...more,
});

test("where a row is, is what the answer said, before what it was sent to", () => {
  expect(sentFrom(row({ target: "2" }, "1"), "r/1").address).toBe("2");
  expect(sentFrom(row({}, "1"), "r/1").address).toBe("1");
  expect(carriedOutcome(row({ target: "2" }, "1"))).toEqual([{ key, result: "sent", target: "2" }]);
  expect(carriedOutcome(row({}, "1"))).toEqual([{ key, result: "sent", target: "1" }]);
  expect(doneOutcome(row({ target: "2" }, "1"))).toEqual({ key, result: "done", target: "2" });
  expect(doneOutcome(row({}, "1"))).toEqual({ key, result: "done", target: "1" });
});

test("of what nobody knows where it is no outcome tells a place", () => {
  expect(sentFrom(row(), "r/1").address).toBe("");
  expect(carriedOutcome(row())).toEqual([]);
  expect(doneOutcome(row())).toStrictEqual({ key, result: "done" });
});

test("what is known of a row is carried on with it", () => {
  const doubt = row({ state: "doubt", reason: "no answer", looked: true, asks: true }, "1");
  expect(carriedOutcome(doubt)).toEqual([
    { key, result: "doubt", reason: "no answer", looked: true, asks: true },
  ]);
  expect(carriedOutcome(row({ state: "doubt" }, "1"))).toEqual([{ key, result: "doubt", reason: "" }]);
  expect(carriedOutcome(row({ state: "held", short: true, asBefore: true }, "1"))).toEqual([
    { key, result: "sent", target: "1", short: true, asBefore: true },
  ]);
  expect(sentFrom(row({ asBefore: true }, "1"), "r/1")).toMatchObject({ isLeft: true, asBefore: true });
  expect(lostFrom(row({ at: 5, looked: true }, "1"), "r/1", policy)).toMatchObject({
    at: 5,
    looked: true,
    isLeft: true,
  });
  expect(lostFrom(row({ at: 5 }, "1"), "r/1", policy)).not.toHaveProperty("looked");
});
