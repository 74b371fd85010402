import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { isFormOf } from "../../src/model/value-form.ts";

describe("how a service may keep what it is sent", () => {
  test.each<[string, Json | undefined, Json]>([
    ["trimmed", "a b", " a b "],
    ["in other letters", "STRASSE", "strasse"],
    ["composed", "\u00E9", "e\u0301"],
    ["shortened", "Deutsch", "Deutschland"],
    ["none for an empty text", undefined, ""],
    ["none for blanks", null, "  "],
    ["rounded up", 3.15, 3.146],
    ["cut off", 3, 3.9],
    ["as four bytes hold it", 0.10000000149011612, 0.1],
    ["as text", "12", 12],
    ["as a word", "TRUE", true],
    ["a day with its midnight", "2024-02-29T00:00:00Z", "2024-02-29"],
    ["a day alone", "2024-02-29", "2024-02-29T10:00:00Z"],
  ])("%s", (_, kept, sent) => {
    expect(isFormOf(kept, sent)).toBe(true);
  });

  test.each<[string, Json | undefined, Json]>([
    ["another word", "France", "Germany"],
    ["a longer one", "Germany (DE)", "Germany"],
    ["none at all", undefined, "Germany"],
    ["a word where there was none", "Germany", ""],
    ["another number", 124, 123],
    ["the head of a number", 1, 123],
    ["a number a step further", 3.2, 3.146],
    ["the other word", false, true],
    ["another day", "2024-02-28T00:00:00Z", "2024-02-29"],
    ["an hour of that day", "2024-02-29T09:00:00Z", "2024-02-29"],
    ["a list", ["a"], ["a"]],
  ])("is not %s", (_, kept, sent) => {
    expect(isFormOf(kept, sent)).toBe(false);
  });

  test("a number in so many digits is one of its forms", () => {
    const sent = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(sent, fc.nat(6), (value, digits) => isFormOf(Number(value.toFixed(digits)), value)),
    );
  });

  test("of whole numbers each has itself alone, and its four bytes", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -3, max: 3 }), (one, step) => {
        const other = one + step;
        return isFormOf(one, other) === (one === other || one === Math.fround(other));
      }),
    );
  });
});
