import { describe, expect, it } from "vitest";
import type { DifferenceOptions } from "../../src/model/difference.ts";
import { difference } from "../../src/model/difference.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Shape } from "../../src/model/shape.ts";
import { newKey, sourceKey, targetKey } from "./ids.ts";

const shape: Shape = {
  known: [],
  serverOwned: [],
  sets: ["/rows"],
  fixedInSubEntity: ["/instances/*/ruleUrn"],
};
const keys = { [sourceKey(1)]: targetKey(1), [sourceKey(2)]: targetKey(2) };

function between(
  source: JsonObject,
  target: JsonObject,
  more: Partial<DifferenceOptions> = {},
): ReturnType<typeof difference> {
  return difference(source, target, { shape, targetOnly: "keep", keys, ...more });
}

describe("plain fields", () => {
  it("are set, changed and cleared, each with what takes it back", () => {
    const { patch, undo, fields } = between(
      { a: 1, b: { c: 2, same: 1 }, new: [1] },
      { a: 0, b: { c: 1, same: 1, d: "x" }, old: [1], gone: "y" },
    );
    expect(patch).toEqual({ a: 1, b: { c: 2, d: null }, new: [1], old: [], gone: null });
    expect(undo).toEqual({ a: 0, b: { c: 1, d: "x" }, new: [], old: [1], gone: "y" });
    expect(fields).toEqual([
      { path: "/a", from: 0, to: 1 },
      { path: "/b/c", from: 1, to: 2 },
      { path: "/b/d", from: "x" },
      { path: "/new", to: [1] },
      { path: "/old", from: [1] },
      { path: "/gone", from: "y" },
    ]);
  });

  it("that are written member by member are so as well when one side has none of them", () => {
    const memberwise = { shape: { ...shape, memberwise: ["extra"] } };
    const cleared = between(
      { a: { extra: 1 } },
      { extra: { x: 1, list: [1] }, a: { extra: { y: 1 } } },
      memberwise,
    );
    expect(cleared.patch).toEqual({ a: { extra: 1 }, extra: { x: null, list: [] } });
    expect(cleared.undo).toEqual({ a: { extra: { y: 1 } }, extra: { x: 1, list: [1] } });
    expect(between({ extra: { x: 1 } }, {}, memberwise).undo).toEqual({ extra: { x: null } });
  });

  it("of another type are replaced as a whole", () => {
    expect(between({ a: { b: 1 } }, { a: 1 }).patch).toEqual({ a: { b: 1 } });
    expect(between({ a: 1 }, { a: { b: 1 } }).patch).toEqual({ a: 1 });
    expect(between({ a: { b: 1 } }, {}).patch).toEqual({ a: { b: 1 } });
  });

  it("compare arrays of scalars and sets without order, at any depth, and others with it", () => {
    expect(
      between(
        { tags: [1, 2], rows: [{ a: 1 }, { b: [1, 2] }] },
        { tags: [2, 1], rows: [{ b: [2, 1] }, { a: 1 }] },
      ).patch,
    ).toEqual({});
    expect(between({ list: [{ a: [1, 2] }] }, { list: [{ a: [2, 1] }] }).patch).toEqual({});
    expect(between({ list: [{ a: 1 }, { b: 1 }] }, { list: [{ b: 1 }, { a: 1 }] }).patch).toEqual({
      list: [{ a: 1 }, { b: 1 }],
    });
    expect(between({ tags: [1, 1] }, { tags: [1] }).patch).toEqual({ tags: [1, 1] });
  });

  it("are shown by pointers with escaped names, hostile ones included", () => {
    const hostile = JSON.parse('{"__proto__": 1, "a/b": {"~": 1}}') as JsonObject;
    const { fields, patch } = between(hostile, { "a/b": {} });
    expect(fields.map(({ path }) => path)).toEqual(["/__proto__", "/a~1b/~0"]);
    expect(JSON.stringify(patch)).toBe('{"__proto__":1,"a/b":{"~":1}}');
  });
});

describe("sub-entities", () => {
  it("that are known are patched under the target's key, and shown by their name", () => {
    const { patch, undo, fields } = between(
      { parts: { [targetKey(1)]: { name: "Email", x: 1 } } },
      { parts: { [targetKey(1)]: { name: "Email", x: 0 } } },
    );
    expect(patch).toEqual({ parts: { [targetKey(1)]: { x: 1 } } });
    expect(undo).toEqual({ parts: { [targetKey(1)]: { x: 0 } } });
    expect(fields).toEqual([{ path: "/parts/Email/x", from: 0, to: 1 }]);
    const instance = between(
      { parts: { [targetKey(1)]: { ruleInstanceName: "a/b", x: 1 } } },
      { parts: { [targetKey(1)]: { ruleInstanceName: "a/b" } } },
    );
    expect(instance.fields[0]?.path).toBe("/parts/a~1b/x");
  });

  it("that are new come under new_ with new keys at every level, and go again by that key", () => {
    const fresh = { x: 1, inner: { [newKey(3)]: { y: 1 } } };
    const { patch, undo, fields } = between({ parts: { [newKey(1)]: fresh } }, {});
    expect(patch).toEqual({ parts: { [newKey(1)]: fresh } });
    expect(undo).toEqual({ parts: null });
    expect(fields).toEqual([
      { path: "/parts/#1/x", to: 1 },
      { path: "/parts/#1/inner/#1/y", to: 1 },
    ]);
    const beside = between(
      { parts: { [newKey(3)]: fresh, [targetKey(1)]: {} } },
      { parts: { [targetKey(1)]: {} } },
    );
    expect(beside.patch).toEqual({ parts: { [newKey(3)]: fresh } });
    expect(beside.undo).toEqual({ parts: { [newKey(3)]: null } });
    expect(beside.fields.map(({ path }) => path)).toEqual(["/parts/#1/x", "/parts/#1/inner/#1/y"]);
  });

  it("that the target lost are made again under new keys, those inside as well", () => {
    const source = {
      parts: {
        [targetKey(1)]: { inner: { [targetKey(2)]: { y: 1 }, [newKey(3)]: { y: 2 } }, list: [1] },
        [targetKey(9)]: 1,
      },
    };
    const { patch } = between(source, { parts: { [targetKey(5)]: {} } });
    expect(patch).toEqual({
      parts: {
        [newKey(1)]: { inner: { [newKey(2)]: { y: 1 }, [newKey(3)]: { y: 2 } }, list: [1] },
        [`new_${targetKey(9)}`]: 1,
      },
    });
  });

  it("that only the target has stay or go by policy; those whose twin is gone go in any case", () => {
    const target = { parts: { [targetKey(1)]: { x: 1 }, [targetKey(5)]: { name: "theirs" } } };
    const kept = between({}, target);
    expect(kept.patch).toEqual({ parts: { [targetKey(1)]: null } });
    expect(kept.undo).toEqual({ parts: { [`new_${targetKey(1)}`]: { x: 1 } } });
    const removed = between({ parts: { [targetKey(1)]: { x: 1 } } }, target, { targetOnly: "remove" });
    expect(removed.patch).toEqual({ parts: { [targetKey(5)]: null } });
    expect(removed.fields).toEqual([{ path: "/parts/theirs/name", from: "theirs" }]);
    expect(between({}, { parts: { [targetKey(5)]: {} } }).patch).toEqual({});
  });

  it("with another value in a field that cannot change are deleted and created in one patch", () => {
    const source = {
      instances: { [targetKey(1)]: { ruleUrn: "new", dq: { [targetKey(2)]: { value: 1 } } } },
    };
    const target = {
      instances: { [targetKey(1)]: { ruleUrn: "old", dq: { [targetKey(2)]: { value: 1 } } } },
    };
    const { patch, undo, fields } = between(source, target);
    expect(patch).toEqual({
      instances: { [targetKey(1)]: null, [newKey(1)]: { ruleUrn: "new", dq: { [newKey(2)]: { value: 1 } } } },
    });
    expect(undo).toEqual({
      instances: { [`new_${targetKey(1)}`]: target.instances[targetKey(1)], [newKey(1)]: null },
    });
    expect(fields).toEqual([{ path: "/instances/#1/ruleUrn", from: "old", to: "new" }]);
    const lost = between({ instances: { [targetKey(1)]: { x: 1 } } }, target);
    expect(lost.patch).toEqual({ instances: { [targetKey(1)]: null, [newKey(1)]: { x: 1 } } });
  });

  it("in which nothing is set, and entries that are no objects, are told and sent like others", () => {
    const added = between(
      { parts: { [targetKey(1)]: {}, [newKey(3)]: {} } },
      { parts: { [targetKey(1)]: {} } },
    );
    expect(added).toMatchObject({
      patch: { parts: { [newKey(3)]: {} } },
      undo: { parts: { [newKey(3)]: null } },
      fields: [{ path: "/parts/#2", to: {} }],
    });
    const weights = between(
      { weights: { [targetKey(1)]: 2, [targetKey(2)]: 1 } },
      { weights: { [targetKey(1)]: 1, [targetKey(2)]: 1 } },
    );
    expect(weights.patch).toEqual({ weights: { [targetKey(1)]: 2 } });
    expect(weights.undo).toEqual({ weights: { [targetKey(1)]: 1 } });
    expect(between({ a: { [targetKey(1)]: { b: 1 } } }, { a: { [targetKey(1)]: 1 } }).patch).toEqual({
      a: { [targetKey(1)]: { b: 1 } },
    });
  });

  it("that became something else are shown value by value", () => {
    expect(between({ a: [1] }, { a: { b: 1 } }).fields).toEqual([
      { path: "/a/b", from: 1 },
      { path: "/a", to: [1] },
    ]);
    expect(between({ a: { b: 1 } }, { a: "x" }).fields).toEqual([
      { path: "/a/b", to: 1 },
      { path: "/a", from: "x" },
    ]);
  });
});
