import { describe, expect, test } from "vitest";
import { together } from "../../src/engine/together.ts";

describe("several works at once", () => {
  test("give their results in the order in which they were named", async () => {
    const slow = Promise.withResolvers<string>();
    const both = together([slow.promise, Promise.resolve(2)]);
    slow.resolve("one");
    expect(await both).toEqual(["one", 2]);
    expect(await together([])).toEqual([]);
  });

  test("fail only when all have ended", async () => {
    const slow = Promise.withResolvers<void>();
    let ended = false;
    const both = together([Promise.reject(new Error("the first one failed")), slow.promise]).finally(() => {
      ended = true;
    });
    const failed = expect(both).rejects.toThrow("the first one failed");
    await new Promise(setImmediate);
    expect(ended).toBe(false);
    slow.resolve();
    await failed;
    expect(ended).toBe(true);
  });

  test("that all fail fail with the error of the one that is named first", async () => {
    const later = Promise.withResolvers<void>();
    const all = together([
      later.promise,
      Promise.reject(new Error("second")),
      Promise.reject(new Error("third")),
    ]);
    later.reject(new Error("first"));
    await expect(all).rejects.toThrow("first");
  });
});
