import { array, assert, boolean, integer, nat, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { AdaptiveLimit } from "../../src/service/adaptive-limit.ts";

/** `count` good answers of 100 ms each, one after the other. */
function good(limit: AdaptiveLimit, count: number, from = 0, took = 100, route = "r"): number {
  let now = from;
  for (let index = 0; index < count; index += 1) {
    limit.answered(route, now, now + took);
    now += took;
  }
  return now;
}

describe("start and increase", () => {
  test.each([
    [1, 1],
    [3, 3],
    [4, 4],
    [64, 4],
    [0, 1],
  ])("of at most %i it starts with %i", (most, start) => {
    expect(new AdaptiveLimit(most).value).toBe(start);
  });

  test("one more after each round of good answers, up to the most", () => {
    const limit = new AdaptiveLimit(6);
    let now = good(limit, 3);
    expect(limit.value).toBe(4);
    now = good(limit, 1, now);
    expect(limit.value).toBe(5);
    now = good(limit, 5, now);
    expect(limit.value).toBe(6);
    good(limit, 100, now);
    expect(limit.value).toBe(6);
  });
});

describe("decrease", () => {
  test("halves, and never below 1", () => {
    const limit = new AdaptiveLimit(16);
    let now = good(limit, 4 + 5 + 6 + 7);
    expect(limit.value).toBe(8);
    for (const value of [4, 2, 1, 1]) {
      limit.overloaded(now + 1, now + 2);
      now += 2;
      expect(limit.value).toBe(value);
    }
  });

  test("a volley is one sign: only requests sent after the cut count again", () => {
    const limit = new AdaptiveLimit(8);
    good(limit, 4 + 5 + 6 + 7);
    for (let index = 0; index < 8; index += 1) limit.overloaded(5000, 5100 + index);
    expect(limit.value).toBe(4);
    limit.overloaded(5200, 5300);
    expect(limit.value).toBe(2);
  });

  test("a cut starts the round anew", () => {
    const limit = new AdaptiveLimit(8);
    const now = good(limit, 3);
    limit.overloaded(now + 1, now + 2);
    good(limit, 1, now + 3);
    expect(limit.value).toBe(2);
    good(limit, 1, now + 300);
    expect(limit.value).toBe(3);
  });
});

describe("rising latency", () => {
  test("cuts when answers take far longer than usual", () => {
    const limit = new AdaptiveLimit(8);
    const now = good(limit, 40);
    expect(limit.value).toBe(8);
    good(limit, 6, now, 1500);
    expect(limit.value).toBeLessThan(8);
  });

  test("not for a small difference, nor for one slow answer", () => {
    const limit = new AdaptiveLimit(8);
    let now = good(limit, 40);
    now = good(limit, 40, now, 180);
    expect(limit.value).toBe(8);
    now = good(limit, 1, now, 600);
    expect(limit.value).toBe(8);
  });

  test("not for milliseconds, however many times more they are", () => {
    const limit = new AdaptiveLimit(8);
    const now = good(limit, 40, 0, 2);
    good(limit, 40, now, 60);
    expect(limit.value).toBe(8);
  });

  test("not because another route is slower", () => {
    const limit = new AdaptiveLimit(8);
    let now = good(limit, 40);
    now = good(limit, 40, now, 3000, "batch");
    good(limit, 40, now);
    expect(limit.value).toBe(8);
  });

  test("what has become usual does not cut for ever", () => {
    const limit = new AdaptiveLimit(8);
    let now = good(limit, 40);
    now = good(limit, 400, now, 1000);
    good(limit, 100, now, 1000);
    expect(limit.value).toBe(8);
  });
});

test("always a whole number from 1 to the most, whatever happens", () => {
  const step = record({ bad: boolean(), took: nat(10_000), gap: nat(1000) });
  assert(
    property(integer({ min: 1, max: 40 }), array(step, { maxLength: 200 }), (most, steps) => {
      const limit = new AdaptiveLimit(most);
      let now = 0;
      for (const { bad, took, gap } of steps) {
        now += gap;
        if (bad) limit.overloaded(now, now + took);
        else limit.answered("r", now, now + took);
        expect(Number.isInteger(limit.value)).toBe(true);
        expect(limit.value).toBeGreaterThanOrEqual(1);
        expect(limit.value).toBeLessThanOrEqual(most);
      }
    }),
  );
});
