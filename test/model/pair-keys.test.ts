import { describe, expect, it } from "vitest";
import { pairKeys, withKeys } from "../../src/model/pair-keys.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Shape } from "../../src/model/shape.ts";
import { newKey, sourceKey, targetKey } from "./ids.ts";

const shape: Shape = { known: [], serverOwned: [], labels: ["name", "label"] };

describe("pairing", () => {
  it("goes by content first, whatever the order", () => {
    const source = { parts: { [newKey(1)]: { a: 1 }, [newKey(2)]: { a: 2 } } };
    const target = { parts: { [targetKey(2)]: { a: 2 }, [targetKey(1)]: { a: 1 } } };
    expect(pairKeys(source, target, shape)).toEqual({
      [sourceKey(1)]: targetKey(1),
      [sourceKey(2)]: targetKey(2),
    });
  });

  it("gives identical ones away one each, and leaves what is too much", () => {
    const twins = { parts: { [newKey(1)]: { a: 1 }, [newKey(2)]: { a: 1 } } };
    expect(
      Object.values(
        pairKeys(twins, { parts: { [targetKey(1)]: { a: 1 }, [targetKey(2)]: { a: 1 } } }, shape),
      ).sort(),
    ).toEqual([targetKey(1), targetKey(2)]);
    expect(Object.values(pairKeys(twins, { parts: { [targetKey(1)]: { a: 1 } } }, shape))).toEqual([
      targetKey(1),
    ]);
    expect(pairKeys(twins, { parts: {} }, shape)).toEqual({});
    expect(pairKeys(twins, {}, shape)).toEqual({});
  });

  it("goes by a label next, when it fits exactly one on each side, the best label first", () => {
    const source = {
      parts: { [newKey(1)]: { name: "a", x: 1 }, [newKey(2)]: { label: "b", x: 1 }, [newKey(3)]: { x: 7 } },
    };
    const target = {
      parts: {
        [targetKey(1)]: { name: "a", x: 2 },
        [targetKey(2)]: { label: "b", x: 2 },
        [targetKey(3)]: { x: 8 },
      },
    };
    expect(pairKeys(source, target, shape)).toEqual({
      [sourceKey(1)]: targetKey(1),
      [sourceKey(2)]: targetKey(2),
    });
    const several = { parts: { [targetKey(1)]: { name: "a", x: 2 }, [targetKey(2)]: { name: "a", x: 3 } } };
    expect(pairKeys(source, several, shape)).toEqual({});
    expect(
      pairKeys(
        { parts: { [newKey(1)]: { name: 1, x: 1 } } },
        { parts: { [targetKey(1)]: { name: 1, x: 2 } } },
        shape,
      ),
    ).toEqual({});
    const { labels: _none, ...without } = shape;
    expect(pairKeys(source, target, without)).toEqual({});
  });

  it("takes no part for another of the same label that differs in what the service cannot change", () => {
    const fixed: Shape = { ...shape, fixedInSubEntity: ["/parts/*/ruleUrn"] };
    const one = (key: string, ruleUrn: string, x: number): JsonObject => ({
      parts: { [key]: { name: "a", ruleUrn, x } },
    });
    expect(pairKeys(one(newKey(1), "r1", 1), one(targetKey(1), "r2", 1), fixed)).toEqual({});
    expect(pairKeys(one(newKey(1), "r1", 1), one(targetKey(1), "r1", 2), fixed)).toEqual({
      [sourceKey(1)]: targetKey(1),
    });
  });

  it("goes on inside what is paired or known, and inside plain objects and arrays", () => {
    const inner = (key: string): { readonly inner: { readonly [key: string]: { readonly b: 1 } } } => ({
      inner: { [key]: { b: 1 } },
    });
    const source = {
      parts: { [newKey(1)]: { name: "a", ...inner(newKey(2)) }, [targetKey(9)]: inner(newKey(3)) },
      config: inner(newKey(4)),
      list: [inner(newKey(5)), inner(newKey(6)), "text"],
    };
    const target = {
      parts: {
        [targetKey(1)]: { name: "a", more: 1, ...inner(targetKey(2)) },
        [targetKey(9)]: inner(targetKey(3)),
      },
      config: inner(targetKey(4)),
      list: [inner(targetKey(5))],
    };
    expect(pairKeys(source, target, shape)).toEqual(
      Object.fromEntries([1, 2, 3, 4, 5].map((number) => [sourceKey(number), targetKey(number)])),
    );
  });

  it("pairs what names another sub-entity by what it names, when that one is not paired yet", () => {
    const body = (key: (number: number) => string) => ({
      joins: { [key(1)]: { item: "x" }, [key(2)]: { item: "y" } },
      uses: { [key(3)]: { joinKey: key(1) }, [key(4)]: { joinKey: key(2) } },
    });
    const swapped = {
      joins: body(targetKey).joins,
      uses: { [targetKey(4)]: { joinKey: targetKey(2) }, [targetKey(3)]: { joinKey: targetKey(1) } },
    };
    expect(pairKeys(body(newKey), swapped, shape)).toEqual(
      Object.fromEntries([1, 2, 3, 4].map((number) => [sourceKey(number), targetKey(number)])),
    );
  });

  it("pairs what is the same but for the sub-entity that it names", () => {
    const source = {
      joins: { [targetKey(1)]: { item: "changed" } },
      uses: { [newKey(2)]: { joinKey: targetKey(1) } },
    };
    const target = {
      joins: { [targetKey(1)]: { item: "x" } },
      uses: { [targetKey(2)]: { joinKey: targetKey(1) } },
    };
    expect(pairKeys(source, target, shape)).toEqual({ [sourceKey(2)]: targetKey(2) });
  });

  it("takes no key that is taken, and pairs no map with something else", () => {
    const source = { parts: { [targetKey(1)]: { a: 1 }, [newKey(2)]: { a: 1 } } };
    expect(pairKeys(source, { parts: { [targetKey(1)]: { a: 1 } } }, shape)).toEqual({});
    expect(pairKeys({ parts: { [newKey(1)]: 5 } }, { parts: { [targetKey(1)]: 5 } }, shape)).toEqual({});
    expect(pairKeys({ parts: { [newKey(1)]: { a: 1 } } }, { parts: { name: { a: 1 } } }, shape)).toEqual({
      [sourceKey(1)]: "name",
    });
  });
});

describe("the tree with paired keys", () => {
  it("has them in the place of the temporary ones, also where a field names one", () => {
    const tree = { parts: { [newKey(1)]: { a: newKey(2) }, [newKey(2)]: {} }, list: [newKey(1), 1, null] };
    expect(withKeys(tree, { [sourceKey(1)]: targetKey(1) })).toEqual({
      parts: { [targetKey(1)]: { a: newKey(2) }, [newKey(2)]: {} },
      list: [targetKey(1), 1, null],
    });
    expect(withKeys(tree, {})).toBe(tree);
  });

  it("leaves names and texts alone that begin with new_ and are no keys", () => {
    const tree = JSON.parse(
      '{"new_constructor": "new_toString", "__proto__": {"new_x": "new_hasOwnProperty"}}',
    ) as Record<string, never>;
    expect(JSON.stringify(withKeys(tree, { [sourceKey(1)]: targetKey(1) }))).toBe(JSON.stringify(tree));
  });
});
