import { describe, expect, test } from "vitest";
import { graphOf } from "../../src/report/html/graph.ts";
import { personStates } from "../../src/report/states.ts";
import { viewOf } from "../../src/report/view.ts";
import { emptyResult, largeResult, resultOf, richResult } from "./fixtures.ts";
import { richChanges } from "./rich.ts";

function graph(result: Parameters<typeof viewOf>[0]) {
  const view = viewOf(result);
  return { view, drawn: graphOf([...view.items.values()], view.kinds) };
}

/** Where a path of `M`, `C` and `H` goes, close enough to find what it crosses. */
function pointsOf(d: string): readonly (readonly [number, number])[] {
  const points: [number, number][] = [];
  let [x, y] = [0, 0];
  for (const [, letter = "", numbers = ""] of d.matchAll(/([MCH])([^MCH]*)/g)) {
    const at = numbers.trim().split(" ").map(Number);
    const end = letter === "H" ? [at[0] ?? 0, y] : at.slice(-2);
    const [toX = 0, toY = 0] = end;
    const [c1x = x, c1y = y, c2x = toX, c2y = toY] = letter === "C" ? at : [];
    for (let step = letter === "M" ? 101 : 0; step <= 100; step += 1) {
      const t = step / 100;
      const of = (a: number, b: number, c: number, e: number): number =>
        (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * e;
      points.push(letter === "H" ? [x + (toX - x) * t, y] : [of(x, c1x, c2x, toX), of(y, c1y, c2y, toY)]);
    }
    [x, y] = [toX, toY];
  }
  return points;
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

  test("counts what waits for a person apart from the changes", () => {
    const result = largeResult(5000);
    const changes = result.changes.map((change, index) =>
      index % 100 === 0 ? { ...change, action: "manual" as const } : change,
    );
    const { drawn } = graph({ ...result, changes });
    for (const { text } of drawn.nodes) expect(text).toMatch(/^1,23[78] changes, 1[23] waiting$/);
    const few = graph(resultOf(richChanges()));
    const alone = [...few.view.items.values()].filter(({ id }) => {
      const at = few.drawn.nodes.map((node) => [...few.view.items.values()][node.at ?? -1]?.id);
      return !at.includes(id);
    });
    const waiting = alone.filter(({ state }) => [...personStates, "acknowledged"].includes(state));
    expect(waiting.length).toBeGreaterThan(0);
    expect(few.drawn).toMatchObject({ alone: alone.length, aloneWaiting: waiting.length });
  });

  test("no edge runs behind a box that it does not lead to", () => {
    const [first] = richChanges();
    if (first === undefined) throw new Error("the fixture is empty");
    const kinds = ["terms", "rules", "monitors", "dashboards"];
    const changes = kinds.flatMap((kind, column) =>
      Array.from({ length: 7 - column }, (_, row) => {
        // Of all that stands left of it, and of one that stands right of it.
        const needs = kinds.slice(0, column).flatMap((other) => [`${other}:0`, `${other}:2`, `${other}:3`]);
        return {
          ...first,
          id: `${kind}:${row}`,
          kind,
          dependsOn: row === 1 ? [...needs, "dashboards:2"] : needs,
        };
      }),
    );
    const { drawn } = graph(resultOf(changes));
    const skipping = drawn.edges.filter(({ d }) => d.includes("H"));
    expect(skipping.length).toBeGreaterThan(20);
    const behind = drawn.edges.flatMap(({ from, to, d }) =>
      drawn.nodes
        .filter(({ key }) => key !== from && key !== to)
        .filter(({ x, y }) =>
          pointsOf(d).some(
            ([px, py]) => px > x && px < x + drawn.node.width && py > y && py < y + drawn.node.height,
          ),
        )
        .map(({ text }) => `${from} > ${to}: ${text}`),
    );
    expect(behind).toEqual([]);
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
