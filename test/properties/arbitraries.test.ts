import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { components } from "../../src/model/graph.ts";
import { isObject } from "../../src/model/json.ts";
import { isSubEntityMap, subEntityKeys } from "../../src/model/sub-entity.ts";
import { isUrn } from "../../src/model/urn.ts";
import { references } from "../../src/model/walk.ts";
import { body, changedLeaf, typedBody } from "./arbitraries.ts";
import type { Estate } from "./estates/estate.ts";
import { estates } from "./estates/estate.ts";
import { schedules } from "./estates/schedule.ts";
import { atSource, atTarget, partsOf, same, shuffler, urnOf, write } from "./sketch.ts";

/** The generators first: a property over bodies without sub-entities or estates without circles says nothing. */
const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns = 300): readonly T[] =>
  fc.sample(arbitrary, { numRuns, seed: 1 });

describe("bodies", () => {
  const sketches = sample(body);
  const bodies = sketches.map((sketch) => write(sketch, atSource));

  it("hold references of every form", () => {
    const forms = new Set(bodies.flatMap((each) => references(each).map(({ form }) => form)));
    expect([...forms].sort()).toEqual(["embedded", "gid", "key", "urn", "uuid"]);
  });

  it("hold sub-entities in sub-entities, and fields that name them", () => {
    const depth = (value: unknown): number => {
      if (typeof value !== "object" || value === null) return 0;
      const below = Math.max(0, ...Object.values(value).map(depth));
      return below + (isSubEntityMap(value as never) ? 1 : 0);
    };
    expect(Math.max(...bodies.map(depth))).toBeGreaterThan(2);
    const naming = bodies.filter((each) => {
      const keys = subEntityKeys(each);
      return references(each).some(({ form, value }) => form === "uuid" && keys.has(value));
    });
    expect(naming.length).toBeGreaterThan(10);
  });

  it("hold names that bite", () => {
    const names = new Set<string>();
    const collect = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [name, field] of Object.entries(value)) {
        names.add(name);
        collect(field);
      }
    };
    for (const each of bodies) collect(each);
    expect([...names]).toEqual(
      expect.arrayContaining(["__proto__", "constructor", "new_constructor", "", "a/b", "~0~1"]),
    );
  });

  it("are written the same twice, and to the same length for both sides", () => {
    for (const sketch of sketches) {
      expect(same(write(sketch, atSource), write(sketch, atSource))).toBe(true);
      expect(subEntityKeys(write(sketch, atTarget)).size).toBe(partsOf(sketch).length);
    }
    expect(isUrn(urnOf(atSource, 1))).toBe(true);
  });

  it("can be written in another order, and changed in one leaf", () => {
    const reordered = sketches.filter((sketch) => {
      const [one, other] = [write(sketch, atTarget), write(sketch, { ...atTarget, order: shuffler(7) })];
      return JSON.stringify(one) !== JSON.stringify(other);
    });
    expect(reordered.length).toBeGreaterThan(50);
    const changed = sketches.filter((sketch) => changedLeaf(sketch, 3, "else") !== undefined);
    for (const sketch of changed)
      expect(same(write(changedLeaf(sketch, 3, "else") ?? sketch, atTarget), write(sketch, atTarget))).toBe(
        false,
      );
    expect(changed.length).toBeGreaterThan(100);
  });

  it("typed by their names, keep to them: what is a map in one is a map in all", () => {
    const typed = sample(typedBody).map((sketch) => write(sketch, atTarget));
    for (const name of ["joins", "parts", "fixedParts"]) {
      const values = typed.flatMap((each) => (isObject(each[name]) ? [each[name]] : []));
      expect(values.length).toBeGreaterThan(20);
      expect(values.every(isSubEntityMap)).toBe(true);
    }
    const joined = typed.filter((each) => /"joinConfigurationKey":"d{8}-/.test(JSON.stringify(each)));
    expect(joined.length).toBeGreaterThan(5);
  });
});

describe("estates", () => {
  const all = sample(estates);
  const some = (test: (estate: Estate) => boolean): boolean => all.filter(test).length > 4;
  const twins = (list: readonly unknown[]): boolean =>
    new Set(list.map((item) => JSON.stringify(item))).size < list.length;
  const collisions = (list: readonly { readonly name: string }[]): boolean =>
    new Set(list.map(({ name }) => name)).size < list.length;

  it("hold terms that refer to each other in circles, and to themselves", () => {
    const circles = ({ terms }: Estate): readonly (readonly string[])[] => {
      const to = (numbers: readonly number[]): readonly string[] =>
        numbers.map((number) => String(number % terms.length));
      const graph = terms.map(
        ({ related, broader, mentions }, index) =>
          [
            String(index),
            to([...related, ...mentions, ...(broader === undefined ? [] : [broader])]),
          ] as const,
      );
      return components(new Map(graph));
    };
    expect(some((estate) => circles(estate).some((circle) => circle.length > 1))).toBe(true);
    expect(
      some(({ terms }) =>
        terms.some(({ related }, index) => related.some((number) => number % terms.length === index)),
      ),
    ).toBe(true);
    expect(some(({ terms }) => terms.some(({ mentions }) => mentions.length > 0))).toBe(true);
  });

  it("hold identical twins, and other things of the same name", () => {
    expect(some(({ rules }) => twins(rules))).toBe(true);
    expect(some(({ terms }) => twins(terms))).toBe(true);
    expect(some(({ monitors }) => twins(monitors))).toBe(true);
    expect(some(({ dashboards }) => twins(dashboards))).toBe(true);
    expect(some(({ rules }) => collisions(rules) && !twins(rules))).toBe(true);
    expect(some(({ monitors }) => collisions(monitors) && !twins(monitors))).toBe(true);
  });

  it("hold rules with several input groups and parameters, joins, connected mappings, values and thresholds", () => {
    expect(
      some(({ rules }) => rules.some(({ groups, parameters }) => groups.length > 1 && parameters.length > 0)),
    ).toBe(true);
    const instances = (estate: Estate) =>
      estate.rules.length === 0
        ? []
        : estate.monitors.flatMap((monitor) => monitor.instances.map((instance) => ({ monitor, instance })));
    expect(
      some((estate) =>
        instances(estate).some(
          ({ monitor, instance }) => monitor.joins.length > 0 && instance.connected.length > 0,
        ),
      ),
    ).toBe(true);
    expect(
      some((estate) =>
        instances(estate).some(
          ({ instance }) => instance.values.length > 0 && instance.thresholds.length > 0,
        ),
      ),
    ).toBe(true);
    expect(some(({ primaries }) => primaries.length > 1)).toBe(true);
    expect(
      some(
        ({ dashboards, monitors }) =>
          monitors.length > 0 && dashboards.some((dashboard) => dashboard.monitors.length > 0),
      ),
    ).toBe(true);
  });

  it("are sometimes empty", () => {
    expect(
      all.some(({ terms, rules, monitors }) => terms.length + rules.length + monitors.length === 0),
    ).toBe(true);
  });
});

describe("schedules", () => {
  it("hold every fault that the emulator knows but the one that no client can get out of, and stops", () => {
    const all = sample(schedules, 1000);
    const effects = new Set(all.flatMap(({ faults }) => faults.map(({ effect }) => effect.type)));
    expect([...effects].sort()).toEqual([
      "delay",
      "drop-after-commit",
      "drop-before-commit",
      "duplicate-items",
      "garbage",
      "late-commit",
      "missing-items",
      "partial-commit",
      "refuse-connection",
      "reorder-items",
      "stale-list",
      "status",
      "truncate",
    ]);
    expect(all.some(({ stops }) => stops.length > 1)).toBe(true);
    expect(all.every(({ faults }) => faults.every(({ when }) => (when?.times ?? Infinity) <= 2))).toBe(true);
  });
});
