import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dependencies } from "../../src/model/graph.ts";
import { components, dependents } from "../../src/model/graph.ts";
import { patience, runs } from "./runs.ts";

/** Up to a dozen ids; edges may lead back, to themselves, twice to the same and to ids that are not in the graph. */
const graphs: fc.Arbitrary<Dependencies> = fc.integer({ min: 0, max: 12 }).chain((size) => {
  const id = fc.nat({ max: size + 1 }).map((number) => (number === 0 ? "__proto__" : `id ${number}`));
  return fc
    .uniqueArray(fc.tuple(id, fc.array(id, { maxLength: 4 })), {
      maxLength: size,
      selector: ([from]) => from,
    })
    .map((edges) => new Map(edges));
});

/** Everything that can be reached from an id along edges, by trying until nothing is added. */
function reachable(graph: Dependencies, from: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const at of [from, ...found]) for (const to of graph.get(at) ?? []) found.add(to);
  }
  return found;
}

describe("the generator", () => {
  it("makes circles, self references, chains and edges that lead nowhere", () => {
    const sample = fc.sample(graphs, { numRuns: 200, seed: 1 });
    const some = (test: (graph: Dependencies, id: string) => boolean): boolean =>
      sample.some((graph) => [...graph.keys()].some((id) => test(graph, id)));
    expect(some((graph, id) => graph.get(id)?.includes(id) === true)).toBe(true);
    expect(some((graph, id) => reachable(graph, id).has(id) && graph.get(id)?.includes(id) !== true)).toBe(
      true,
    );
    expect(some((graph, id) => graph.get(id)?.some((to) => !graph.has(to)) === true)).toBe(true);
    expect(some((graph, id) => reachable(graph, id).size > 4 && !reachable(graph, id).has(id))).toBe(true);
    expect(some((graph, id) => id === "__proto__" && (graph.get(id)?.length ?? 0) > 0)).toBe(true);
  });
});

describe("components", () => {
  it(
    "hold every id once, together with exactly those that it reaches and that reach it",
    () => {
      fc.assert(
        fc.property(graphs, (graph) => {
          const found = components(graph);
          expect(found.flat().sort()).toEqual([...graph.keys()].sort());
          const reach = new Map([...graph.keys()].map((id) => [id, reachable(graph, id)]));
          for (const component of found) {
            for (const id of component) {
              const circle = [...graph.keys()].filter(
                (other) =>
                  other === id || (reach.get(id)?.has(other) === true && reach.get(other)?.has(id) === true),
              );
              expect(component.toSorted()).toEqual(circle.sort());
            }
          }
        }),
        runs(500),
      );
    },
    patience(),
  );

  it(
    "come in an order in which what others need is first",
    () => {
      fc.assert(
        fc.property(graphs, (graph) => {
          const place = new Map(
            components(graph).flatMap((component, at) => component.map((id) => [id, at] as const)),
          );
          for (const [id, edges] of graph) {
            for (const to of edges)
              if (graph.has(to)) expect(place.get(to)).toBeLessThanOrEqual(place.get(id) ?? -1);
          }
        }),
        runs(500),
      );
    },
    patience(),
  );

  it(
    "do not depend on the order in which the graph is written down, but for their own order",
    () => {
      fc.assert(
        fc.property(graphs, (graph) => {
          const sets = (of: Dependencies): readonly string[] =>
            components(of)
              .map((component) => JSON.stringify(component.toSorted()))
              .sort();
          expect(sets(new Map([...graph].reverse()))).toEqual(sets(graph));
        }),
        runs(300),
      );
    },
    patience(),
  );
});

describe("dependents", () => {
  it(
    "are all that depend on a root, directly or through others, and no root",
    () => {
      fc.assert(
        fc.property(graphs, fc.array(fc.nat({ max: 13 })), (graph, picks) => {
          const ids = [...graph.keys(), "id 1"];
          const roots = new Set(picks.map((pick) => ids[pick % ids.length] ?? ""));
          const expected = [...graph.keys()].filter(
            (id) => !roots.has(id) && [...roots].some((root) => reachable(graph, id).has(root)),
          );
          expect([...dependents(graph, roots).keys()].sort()).toEqual(expected.sort());
        }),
        runs(500),
      );
    },
    patience(),
  );

  it(
    "are blamed on something that they need and that leads to a root",
    () => {
      fc.assert(
        fc.property(graphs, fc.nat(), (graph, pick) => {
          const ids = [...graph.keys()];
          fc.pre(ids.length > 0);
          const root = ids[pick % ids.length] ?? "";
          const because = dependents(graph, [root]);
          for (const [id, cause] of because) {
            expect(graph.get(id)).toContain(cause);
            expect(cause === root || because.has(cause)).toBe(true);
          }
        }),
        runs(300),
      );
    },
    patience(),
  );
});
