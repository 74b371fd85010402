import { describe, expect, it } from "vitest";
import { canonical, contents, digest, fingerprint, stableText } from "../../src/model/canonical.ts";
import type { Shape } from "../../src/model/shape.ts";
import { newKey, sourceKey, targetKey } from "./ids.ts";

const shape: Shape = { known: [], serverOwned: [], sets: ["/rows", "/parts/*/rows"] };

describe("stable text", () => {
  it("is the same whatever the order of keys, and tells values apart", () => {
    expect(stableText({ b: [1, { d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[1,{"c":2,"d":1}]}');
    expect(stableText("1")).not.toBe(stableText(1));
  });

  it("keeps names that bite", () => {
    expect(stableText(JSON.parse('{"b":1,"__proto__":{"a":1}}') as Record<string, never>)).toBe(
      '{"__proto__":{"a":1},"b":1}',
    );
  });
});

describe("the canonical form", () => {
  it("turns a map of sub-entities into a sorted list of their contents", () => {
    const form = canonical(
      { parts: { [targetKey(2)]: { name: "b" }, [targetKey(1)]: { name: "a" } } },
      shape,
    );
    expect(form).toEqual({ parts: { "~": [{ name: "a" }, { name: "b" }] } });
    expect(canonical({ parts: { [newKey(7)]: { name: "a" }, [newKey(8)]: { name: "b" } } }, shape)).toEqual(
      form,
    );
  });

  it("sorts arrays of scalars and those that the shape names, and no others", () => {
    expect(
      canonical({ tags: ["b", "a", 1], rows: [{ b: 1 }, { a: 1 }], list: [{ b: 1 }, { a: 1 }] }, shape),
    ).toEqual({
      tags: ["a", "b", 1],
      rows: [{ a: 1 }, { b: 1 }],
      list: [{ b: 1 }, { a: 1 }],
    });
    expect(canonical({ list: [2, null, 1] }, shape), "null may stand for an object").toEqual({
      list: [2, null, 1],
    });
  });

  it("puts the content of a sub-entity in the place of its key, wherever a field names it", () => {
    const body = (join: string, other: string): ReturnType<typeof canonical> =>
      canonical(
        { joins: { [join]: { item: "x" }, [other]: { item: "y" } }, uses: [{ joinKey: join }] },
        shape,
      );
    expect(body(sourceKey(1), sourceKey(2))).toEqual(body(targetKey(9), newKey(3)));
    expect(JSON.stringify(body(sourceKey(1), sourceKey(2)))).not.toContain(sourceKey(1));
  });

  it("tells apart which of two sub-entities is named", () => {
    const body = (named: string): string =>
      fingerprint(
        { joins: { [sourceKey(1)]: { item: "x" }, [sourceKey(2)]: { item: "y" } }, joinKey: named },
        shape,
      );
    expect(body(sourceKey(1))).not.toBe(body(sourceKey(2)));
    expect(body(sourceKey(3)), "a key of nothing here is a text").not.toBe(body(sourceKey(1)));
  });

  it("takes sub-entities that name each other in a circle for what they are, in any order", () => {
    const circle = (one: string, other: string): string =>
      fingerprint({ parts: { [one]: { next: other, a: 1 }, [other]: { next: one } } }, shape);
    const reversed = fingerprint(
      { parts: { [sourceKey(2)]: { next: sourceKey(1) }, [sourceKey(1)]: { next: sourceKey(2), a: 1 } } },
      shape,
    );
    expect(circle(sourceKey(1), sourceKey(2))).toBe(circle(targetKey(7), targetKey(3)));
    expect(circle(sourceKey(1), sourceKey(2))).toBe(reversed);
    const selfish = fingerprint(
      { parts: { [sourceKey(1)]: { next: sourceKey(1), a: 1 }, [sourceKey(2)]: { next: sourceKey(2) } } },
      shape,
    );
    expect(selfish).not.toBe(reversed);
  });

  it("sorts sets inside a sub-entity that is named, too", () => {
    const body = (rows: readonly { readonly a: number }[]): string =>
      fingerprint({ parts: { [sourceKey(1)]: { rows } }, named: sourceKey(1) }, shape);
    expect(body([{ a: 1 }, { a: 2 }])).toBe(body([{ a: 2 }, { a: 1 }]));
  });
});

describe("the fingerprint", () => {
  it("is 128 bits of SHA-256 over the canonical form", () => {
    expect(digest("")).toBe("e3b0c44298fc1c149afbf4c8996fb924");
    expect(fingerprint({ b: 1, a: [2, 1] }, shape)).toBe(digest('{"a":[1,2],"b":1}'));
  });
});

describe("the contents of sub-entities", () => {
  it("are listed by key, at every level", () => {
    const body = {
      parts: { [sourceKey(1)]: { inner: { [sourceKey(2)]: { a: 1 } }, uses: sourceKey(2) } },
      list: [{ parts: { [sourceKey(3)]: { a: 1 } } }],
    };
    const found = contents(body, shape);
    expect([...found.keys()].sort()).toEqual([1, 2, 3].map(sourceKey));
    expect(found.get(sourceKey(2))).toBe('{"a":1}');
    expect(found.get(sourceKey(3))).toBe(found.get(sourceKey(2)));
    expect(found.get(sourceKey(1))).not.toContain(sourceKey(2));
    expect(contents({ a: 1 }, shape).size).toBe(0);
  });
});
