import { describe, expect, it } from "vitest";
import { otherContent, outOfPlace, standAlike } from "../../src/model/part-places.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Shape } from "../../src/model/shape.ts";
import { newKey, sourceKey, targetKey } from "./ids.ts";

const shape: Shape = { known: [], serverOwned: [] };
const [one, two, three] = [targetKey(1), targetKey(2), targetKey(3)];

describe("the place of a part", () => {
  it("is the map in which it stands, and that of what it stands in", () => {
    const target = { a: { [one]: { inner: { [two]: {} } } }, b: { [three]: { inner: {} } } };
    expect(outOfPlace(target, target)).toEqual(new Set());
    expect(outOfPlace({ a: { [one]: {} }, b: { [three]: { inner: { [two]: {} } } } }, target)).toEqual(
      new Set([two]),
    );
    expect(outOfPlace({ b: { [one]: { inner: { [two]: {} } } } }, target)).toEqual(new Set([one, two]));
    expect(outOfPlace({ list: [{ [one]: {} }] }, { list: [{ [one]: {} }] })).toEqual(new Set());
    expect(outOfPlace({ list: [{ [one]: {} }] }, { list: [] })).toEqual(new Set([one]));
  });
});

describe("what says something else under the same key", () => {
  it("is told by content, whatever the keys in it", () => {
    const target = { parts: { [one]: { name: "a", inner: { [three]: { x: 1 } } }, [two]: { name: "b" } } };
    const swapped = {
      parts: { [one]: { name: "b" }, [two]: { name: "a", inner: { [newKey(3)]: { x: 1 } } } },
    };
    expect(otherContent(target, target, shape)).toEqual(new Set());
    expect(otherContent(swapped, target, shape)).toEqual(new Set([one, two, newKey(3)]));
  });
});

describe("two bodies in the words of their own sides", () => {
  const [here, there] = [sourceKey(1), targetKey(1)];
  const keys = { [here]: there };
  const urn = (key: string, tenant: string): string =>
    `urn:data:${tenant}:data-quality:rule-attribute:${key}`;
  const part = (key: string, tenant: string, more = {}): JsonObject => ({
    urn: urn(key, tenant),
    name: "a",
    ...more,
  });
  const alike = (source: JsonObject, target: JsonObject): boolean =>
    standAlike({ parts: { [here]: source } }, { parts: { [there]: target } }, keys);

  it("are alike where each known part says the same in plain words", () => {
    expect(alike(part(here, "dev"), part(there, "prod"))).toBe(true);
    expect(alike(part(here, "dev"), part(there, "prod", { name: "b" }))).toBe(false);
    expect(alike(part(here, "dev", { deep: { n: 1 } }), part(there, "prod", { deep: { n: 2 } }))).toBe(false);
    expect(alike(part(here, "dev", { note: null }), part(there, "prod"))).toBe(true);
  });

  it("are not where a part is not known, or not there", () => {
    expect(standAlike({ parts: { [here]: {} } }, { parts: { [there]: {} } }, {})).toBe(false);
    expect(standAlike({ parts: { [here]: {} } }, { others: { [there]: {} } }, keys)).toBe(false);
    expect(standAlike({ list: [{ [here]: {} }] }, { list: [{ [there]: {} }] }, keys)).toBe(true);
  });

  it("cannot be told of one that others may name where it refers to something", () => {
    const other = urn(sourceKey(2), "dev");
    expect(alike(part(here, "dev", { uses: other }), part(there, "prod", { uses: other }))).toBe(false);
    expect(alike({ uses: other }, { uses: urn(targetKey(2), "prod") })).toBe(true);
  });
});
