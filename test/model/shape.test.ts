import { describe, expect, it } from "vitest";
import type { Shape } from "../../src/model/shape.ts";
import { advance, compilePatterns, patternsOf, strip } from "../../src/model/shape.ts";
import { newKey, targetKey, urn } from "./ids.ts";

const shape: Shape = {
  known: ["urn", "name"],
  serverOwned: ["/urn", "/schedule/nextRun", "/instances/*/ruleName"],
};

describe("patterns", () => {
  const root = compilePatterns(["/a/b", "/a/*", "/*/c"]);
  const ends = (...tokens: readonly string[]): boolean => {
    let nodes = [root] as readonly (typeof root)[];
    for (const token of tokens) nodes = advance(nodes, token);
    return nodes.some((node) => node.ends);
  };

  it("match token by token, a star any one", () => {
    expect([ends("a", "b"), ends("a", "x"), ends("x", "c"), ends("a", "c")]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([ends("a"), ends("x", "b"), ends("a", "b", "c"), ends()]).toEqual([false, false, false, false]);
  });

  it("lead nowhere from nowhere, and are compiled once", () => {
    expect(advance([], "a")).toEqual([]);
    const list = ["/a"];
    expect(patternsOf(list)).toBe(patternsOf(list));
  });

  it("are safe from names that every object has", () => {
    expect(ends("constructor", "c")).toBe(true);
    expect(ends("__proto__", "x")).toBe(false);
  });
});

describe("strip", () => {
  it("leaves out what the service owns, wherever the pattern says, and nothing that only looks like it", () => {
    const body = {
      urn: urn("prod", "catalog:term", 1),
      name: "Email",
      schedule: { cronExpression: "0", nextRun: "soon" },
      nextRun: "mine",
      instances: { [targetKey(1)]: { ruleName: "theirs", name: { ruleName: "mine" } } },
    };
    expect(strip(body, shape)).toEqual({
      name: "Email",
      schedule: { cronExpression: "0" },
      nextRun: "mine",
      instances: { [targetKey(1)]: { name: { ruleName: "mine" } } },
    });
  });

  it("leaves out null, {} and [], which all mean that nothing is set", () => {
    expect(strip({ a: null, b: {}, c: [], d: { e: { f: null } }, g: 0, h: false, i: "" }, shape)).toEqual({
      g: 0,
      h: false,
      i: "",
    });
    expect(strip({ a: null }, shape)).toEqual({});
  });

  it("keeps the places of an array, and what stands there, however little that says", () => {
    expect(strip({ list: [1, null, {}, { a: null }, [], { b: 1 }] }, shape)).toEqual({
      list: [1, null, {}, {}, [], { b: 1 }],
    });
  });

  it("leaves out correlationIds and the own URN of a sub-entity, and keeps references to others", () => {
    const own = `urn:data:prod:data-quality:rule-instance:${targetKey(1)}`;
    const other = `urn:data:prod:data-quality:rule-attribute:${targetKey(2)}`;
    const body = {
      instances: {
        [targetKey(1)]: { urn: own, any: own, correlationId: newKey(1), ruleAttributeUrn: other },
      },
    };
    expect(strip(body, shape)).toEqual({ instances: { [targetKey(1)]: { ruleAttributeUrn: other } } });
  });

  it("keeps a sub-entity in which nothing is set: it is there all the same", () => {
    const own = `urn:data:prod:data-quality:threshold:${targetKey(1)}`;
    const body = { thresholds: { [targetKey(1)]: { urn: own }, [newKey(2)]: {}, [targetKey(3)]: null } };
    expect(strip(body, shape)).toEqual({ thresholds: { [targetKey(1)]: {}, [newKey(2)]: {} } });
  });

  it("keeps fields whose names bite", () => {
    const body = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as Record<string, never>;
    expect(JSON.stringify(strip(body, shape))).toBe('{"__proto__":{"a":1},"constructor":2}');
  });
});
