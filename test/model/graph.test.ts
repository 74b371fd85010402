import { describe, expect, it, test } from "vitest";
import { components, dependents, leadsTo } from "../../src/model/graph.ts";

const graph = (edges: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> =>
  new Map(Object.entries(edges));

describe("components", () => {
  it("come with what others need first, circles together", () => {
    expect(
      components(graph({ a: ["b"], b: ["c"], c: ["b"], d: [] })).map((component) => component.toSorted()),
    ).toEqual([["b", "c"], ["a"], ["d"]]);
    expect(components(graph({}))).toEqual([]);
  });

  it("leave out ids that are only referred to", () => {
    expect(components(graph({ a: ["elsewhere"] }))).toEqual([["a"]]);
  });

  it("hold a long chain and a long circle without running out of stack", () => {
    const size = 50_000;
    const chain = new Map(
      Array.from({ length: size }, (_, number) => [String(number), [String(number + 1)]]),
    );
    expect(components(chain)).toHaveLength(size);
    expect(components(new Map([...chain, [String(size - 1), ["0"]]]))).toHaveLength(1);
  });
});

describe("dependents", () => {
  it("are told with what they were blocked by, and roots are not among them", () => {
    const because = dependents(graph({ a: ["b"], b: ["c"], c: [], d: ["c", "a"] }), ["c"]);
    expect([...because.keys()].sort()).toEqual(["a", "b", "d"]);
    expect([because.get("b"), because.get("a")]).toEqual(["c", "b"]);
    expect(dependents(graph({ a: ["b"], b: ["a"] }), ["a"])).toEqual(new Map([["b", "a"]]));
    expect(dependents(graph({ a: [] }), ["b"]).size).toBe(0);
  });
});

test("what waits for another one leads to it, also in a circle", () => {
  const edges = graph({ a: ["b"], b: ["c", "a"], d: ["a"] });
  expect(["c", "d"].map((to) => leadsTo("a", to, edges))).toEqual([true, false]);
});
