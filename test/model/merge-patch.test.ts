import { describe, expect, it } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { mergePatch } from "../../src/model/merge-patch.ts";
import { emptySummary } from "../../src/model/result.ts";
import { actions } from "../../src/model/change.ts";

/** RFC 7386, Appendix A. */
const cases: readonly (readonly [target: Json, patch: Json, result: Json])[] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe("a merge patch", () => {
  it.each(cases)("of %j with %j is %j", (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  it("of nothing is the patch without its removals, and what it is applied to stays as it was", () => {
    expect(mergePatch(undefined, { a: { b: null, c: 1 } })).toEqual({ a: { c: 1 } });
    const target = { a: { b: 1 } };
    mergePatch(target, { a: { b: 2 } });
    expect(target).toEqual({ a: { b: 1 } });
  });

  it("sets and removes fields whose names bite", () => {
    const patched = mergePatch({ keep: 1 }, JSON.parse('{"__proto__": {"a": 1}}') as Json);
    expect(JSON.stringify(patched)).toBe('{"keep":1,"__proto__":{"a":1}}');
    expect(
      JSON.stringify(mergePatch(patched, JSON.parse('{"__proto__": null, "toString": null}') as Json)),
    ).toBe('{"keep":1}');
  });
});

describe("an empty summary", () => {
  it("counts nothing, for every action and both failures", () => {
    expect(emptySummary()).toEqual(
      Object.fromEntries([...actions, "failed", "inDoubt", "acknowledged"].map((name) => [name, 0])),
    );
  });
});
