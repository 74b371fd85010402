import { describe, expect, it } from "vitest";
import type { Lookup } from "../../src/model/translate.ts";
import { markedUrn, marker, resolveMarkers, translate, withPaired } from "../../src/model/translate.ts";
import { newKey, sourceKey, targetKey, urn, uuid } from "./ids.ts";

const source = (number: number): string => urn("dev", "catalog:term", number);
const target = (number: number): string => urn("prod", "catalog:term", number);

/** 1 is mapped, 2 will be created, 3 may be left out, 4 is unknown. */
const lookup: Lookup = {
  urn(found) {
    if (found === source(1)) return { state: "target", urn: target(1) };
    if (found === source(2)) return { state: "pending", owner: source(2) };
    if (found === source(3)) return { state: "drop", reason: "the plan says so" };
    if (found === source(4)) return { state: "unresolved", reason: "no twin", suggestion: "pair it" };
    return { state: "unresolved", reason: "no twin" };
  },
  uuid(found) {
    if (found === uuid("a", 1)) return { state: "target", uuid: uuid("b", 1) };
    return found === uuid("a", 2) ? { state: "pending", owner: source(2) } : undefined;
  },
  ownKey: (key) => (key === sourceKey(1) ? targetKey(1) : undefined),
};
const rich = (gid: string): string => JSON.stringify([{ type: "entityReference", gid, entityName: "Email" }]);

describe("translate", () => {
  it("puts the target's ids in the place of the source's", () => {
    const { tree, pending, unresolved, loose, dropped } = translate(
      {
        term: source(1),
        text: `see ${source(1)}`,
        rich: rich(uuid("a", 1)),
        id: uuid("a", 1),
        name: "Email",
      },
      lookup,
    );
    expect(tree).toEqual({
      term: target(1),
      text: `see ${target(1)}`,
      rich: rich(uuid("b", 1)),
      id: uuid("b", 1),
      name: "Email",
    });
    expect([pending.size, unresolved, loose, dropped]).toEqual([0, [], [], []]);
  });

  it("leaves out what held nothing but what is left out, and keeps the parts", () => {
    const part = { owner: source(3) };
    const body = {
      list: [source(3)],
      lists: [[source(3)], [1]],
      object: { inner: { owner: source(3) } },
      objects: [part, { ...part, name: "Email" }, null, {}, []],
      parts: { [sourceKey(1)]: part, [sourceKey(2)]: { ...part, name: "Email" } },
    };
    const { tree, dropped } = translate(body, lookup);
    expect(tree).toEqual({
      lists: [[1]],
      objects: [{ name: "Email" }, null, {}, []],
      parts: { [targetKey(1)]: {}, [newKey(2)]: { name: "Email" } },
    });
    expect(dropped).toHaveLength(7);
  });

  it("puts them into the names of fields as well, leaves such a field out, and keeps one without a target", () => {
    const body = {
      layout: { [source(1)]: { at: 1 }, [source(2)]: 2, [source(3)]: 3, [source(4)]: 4, other: 5 },
    };
    const { tree, pending, unresolved, dropped } = translate(body, lookup);
    const known = { [target(1)]: { at: 1 }, [source(4)]: 4, other: 5 };
    expect(tree).toEqual({ layout: { ...known, [marker(source(2))]: 2 } });
    expect(pending).toEqual(new Set([source(2)]));
    expect(unresolved).toMatchObject([{ form: "urn", value: source(4), pointer: `/layout/${source(4)}` }]);
    expect(dropped).toMatchObject([{ form: "urn", value: source(3) }]);
    expect(resolveMarkers(tree, () => target(2)).tree).toEqual({ layout: { ...known, [target(2)]: 2 } });
  });

  it("tells a name of a field that is the UUID of an object, where it is not known as a key", () => {
    const named = (id: string): string => `"${id}"`;
    const body = { layout: { [sourceKey(1)]: { a: 1 }, [sourceKey(2)]: { a: 2 } } };
    const { tree, loose } = translate(body, { ...lookup, named });
    expect(tree).toEqual({ layout: { [targetKey(1)]: { a: 1 }, [newKey(2)]: { a: 2 } } });
    expect(loose).toMatchObject([{ form: "key", value: sourceKey(2), pointer: `/layout/${sourceKey(2)}` }]);
  });

  it("uses known keys and makes temporary ones of the others, also where a join is named by one", () => {
    const body = {
      joins: { [sourceKey(1)]: { a: 1 }, [sourceKey(2)]: { pairs: { [sourceKey(3)]: { b: 1 } } } },
      one: sourceKey(1),
      two: { joinConfigurationKey: sourceKey(2) },
    };
    expect(translate(body, lookup).tree).toEqual({
      joins: { [targetKey(1)]: { a: 1 }, [newKey(2)]: { pairs: { [newKey(3)]: { b: 1 } } } },
      one: targetKey(1),
      two: { joinConfigurationKey: newKey(2) },
    });
    expect(translate(body, lookup).unresolved).toEqual([]);
  });

  it("sends no temporary key where the service would keep it as it is, until the parts are paired", () => {
    const body = { groups: { [sourceKey(1)]: {}, [sourceKey(2)]: {} }, list: [sourceKey(1), sourceKey(2)] };
    const translation = translate(body, lookup);
    expect(translation.unresolved).toMatchObject([{ form: "uuid", value: sourceKey(2), pointer: "/list/1" }]);
    expect(withPaired(translation, { [sourceKey(2)]: targetKey(2) }).unresolved).toEqual([]);
    expect(withPaired(translation, { [sourceKey(3)]: targetKey(3) }).unresolved).toHaveLength(1);
  });

  it("marks what does not exist yet, and says what it waits for", () => {
    const { tree, pending } = translate(
      { term: source(2), text: `see ${source(2)}!`, rich: rich(uuid("a", 2)), id: uuid("a", 2) },
      lookup,
    );
    expect(pending).toEqual(new Set([source(2)]));
    expect(markedUrn(marker(source(2)))).toBe(source(2));
    expect(markedUrn(source(2))).toBeUndefined();
    expect(tree["term"]).toBe(marker(source(2)));
    const { tree: resolved, left } = resolveMarkers(
      { ...tree, deep: { list: [marker(source(2)), 1, null] } },
      () => target(2),
    );
    expect(left).toEqual([]);
    expect(resolved).toEqual({
      term: target(2),
      text: `see ${target(2)}!`,
      rich: rich(uuid("b", 2)),
      id: uuid("b", 2),
      deep: { list: [target(2), 1, null] },
    });
  });

  it("keeps markers that nothing resolves, and names them", () => {
    const { tree } = translate({ term: source(2), rich: rich(uuid("a", 2)) }, lookup);
    const unknown = resolveMarkers(tree, () => undefined);
    expect(unknown.tree).toEqual(tree);
    expect(unknown.left).toEqual([source(2), source(2)]);
  });

  it("leaves out a field that the plan says to leave out, but not a part of a text", () => {
    const { tree, dropped } = translate(
      { group: source(3), list: [source(3), source(1)], text: `of ${source(3)}` },
      lookup,
    );
    expect(tree).toEqual({ list: [target(1)], text: `of ${source(3)}` });
    expect(dropped.map(({ form, pointer, reason }) => `${form} ${pointer} ${reason}`)).toEqual([
      "urn /group the plan says so",
      "urn /list/0 the plan says so",
      "embedded /text the plan says so",
    ]);
  });

  it("reports a reference without a target, with its place, and keeps it", () => {
    const { tree, unresolved, loose } = translate(
      { a: source(4), b: source(5), text: `of ${source(4)}`, rich: rich(uuid("a", 9)), id: uuid("a", 9) },
      lookup,
    );
    expect(tree).toEqual({
      a: source(4),
      b: source(5),
      text: `of ${source(4)}`,
      rich: rich(uuid("a", 9)),
      id: uuid("a", 9),
    });
    expect(unresolved).toEqual([
      { form: "urn", value: source(4), pointer: "/a", reason: "no twin", suggestion: "pair it" },
      { form: "urn", value: source(5), pointer: "/b", reason: "no twin" },
    ]);
    expect(loose.map(({ form, pointer }) => `${form} ${pointer}`)).toEqual([
      "embedded /text",
      "gid /rich",
      "uuid /id",
    ]);
  });
});

describe("resolveMarkers", () => {
  it("keeps fields whose names bite", () => {
    const body = JSON.parse(`{"__proto__": ${JSON.stringify(marker(source(2)))}, "a": 1}`) as Record<
      string,
      never
    >;
    expect(JSON.stringify(resolveMarkers(body, () => target(2)).tree)).toBe(
      `{"__proto__":"${target(2)}","a":1}`,
    );
  });
});
