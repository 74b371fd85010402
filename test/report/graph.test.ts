import { describe, expect, test } from "vitest";
import { graphOf } from "../../src/report/html/graph.ts";
import { viewOf } from "../../src/report/view.ts";
import { emptyResult, largeResult, resultOf, richResult } from "./fixtures.ts";
import { richChanges } from "./rich.ts";

function graph(result: Parameters<typeof viewOf>[0]) {
  const view = viewOf(result);
  return { view, drawn: graphOf([...view.items.values()], view.kinds) };
}

describe("the picture of the dependencies", () => {
  test("draws every change that needs or is needed, once, in the column of its kind", () => {
    const { view, drawn } = graph(resultOf(richChanges()));
    expect(drawn.collapsed).toBe(false);
    expect(drawn.nodes.length + drawn.alone).toBe(view.items.size);
    const columns = new Map(drawn.columns.map((column) => [column.kind, column.x]));
    for (const node of drawn.nodes) expect(node.x).toBe(columns.get(node.kind));
    expect(drawn.columns.map((column) => column.kind)).toEqual(["terms", "rules", "monitors", "dashboards"]);
  });

  test("draws an edge for each dependency that is among the changes, and only for those", () => {
    const { view, drawn } = graph(richResult());
    const known = [...view.items.values()].flatMap((item) =>
      item.dependsOn.filter((id) => view.items.has(id)),
    );
    expect(drawn.edges).toHaveLength(known.length);
    expect(known.length).toBeLessThan([...view.items.values()].flatMap((item) => item.dependsOn).length);
  });

  test("no two boxes overlap and all are inside", () => {
    const { drawn } = graph(richResult());
    const places = drawn.nodes.map((node) => `${node.x},${node.y}`);
    expect(new Set(places)).toHaveLength(places.length);
    for (const node of drawn.nodes) {
      expect(node.x + drawn.node.width).toBeLessThanOrEqual(drawn.width);
      expect(node.y + drawn.node.height).toBeLessThanOrEqual(drawn.height);
    }
  });

  test("becomes one box a kind, with counts, when there are too many", () => {
    const { drawn } = graph(largeResult(5000));
    expect(drawn.collapsed).toBe(true);
    expect(drawn.nodes.map((node) => node.text)).toEqual(Array.from({ length: 4 }, () => "1,250 changes"));
    expect(drawn.edges.map((edge) => edge.count)).toEqual([1250, 1250, 1250]);
  });

  test("changes that need each other hang nothing", () => {
    const [first] = richChanges();
    if (first === undefined) throw new Error("the fixture is empty");
    const pair = resultOf([
      { ...first, id: "terms:a", dependsOn: ["terms:b"] },
      { ...first, id: "terms:b", dependsOn: ["terms:a", "terms:b"] },
    ]);
    expect(graph(pair).drawn.edges).toHaveLength(2);
  });

  test("is empty for an empty result", () => {
    expect(graph(emptyResult()).drawn).toMatchObject({ nodes: [], edges: [], alone: 0 });
  });
});
