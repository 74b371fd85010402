import { describe, expect, it } from "vitest";
import { formatUrn, isUrn, isUuid, parseUrn, plainUuid, urnType, uuidOf } from "../../src/model/urn.ts";
import { urn, uuid } from "./ids.ts";

const term = urn("dev", "catalog:term", 1);

describe("a UUID", () => {
  it("is 36 characters of hexadecimal in five groups, in either case", () => {
    expect(isUuid(uuid("a", 1))).toBe(true);
    expect(isUuid(uuid("a", 1).toUpperCase())).toBe(true);
  });

  it.each([
    ["nothing", ""],
    ["a prefix", `new_${uuid("a", 1)}`],
    ["a group short", uuid("a", 1).slice(0, -1)],
    ["a letter too many", uuid("a", 1).replace("a", "g")],
    ["the right length with a line feed in it", `${uuid("a", 1).slice(0, 35)}\n`],
    ["other dashes", uuid("a", 1).replaceAll("-", "_")],
  ])("is not %s", (_what, text) => {
    expect(isUuid(text)).toBe(false);
  });

  it("is one and the same in any letters, with hyphens or without", () => {
    const id = uuid("a", 1);
    for (const spelling of [id, id.toUpperCase(), id.replaceAll("-", "")])
      expect(plainUuid(spelling)).toBe(id);
    for (const text of ["", term, `${id}0`, "new_"]) expect(plainUuid(text)).toBe("");
  });
});

describe("a URN", () => {
  it("has a namespace, a tenant, an area, a type and a UUID", () => {
    expect(parseUrn(term)).toEqual({
      namespace: "data",
      tenant: "dev",
      area: "catalog",
      type: "term",
      uuid: uuid("a", 1),
    });
    expect(isUrn(term)).toBe(true);
    expect(uuidOf(term)).toBe(uuid("a", 1));
    expect(urnType(term)).toBe("catalog:term");
  });

  it("is put together from its parts as it was", () => {
    const parts = parseUrn(term);
    expect(parts === undefined ? undefined : formatUrn(parts)).toBe(term);
    expect(parts === undefined ? undefined : formatUrn({ ...parts, tenant: "prod" })).toBe(
      `urn:data:prod:catalog:term:${uuid("a", 1)}`,
    );
  });

  it.each([
    ["another scheme", term.replace("urn:", "url:")],
    ["text before it", ` ${term}`],
    ["text after it", `${term} `],
    ["a part too few", term.replace(":dev", "")],
    ["a part too many", term.replace(":dev", ":dev:more")],
    ["an empty part", term.replace("dev", "")],
    ["a space in a part", term.replace("dev", "d v")],
    ["a quote in a part", term.replace("dev", 'd"v')],
    ["no UUID", "urn:data:dev:catalog:term:1"],
    ["a temporary key in its place", `urn:data:dev:catalog:term:new_${uuid("a", 1)}`],
    ["nothing", ""],
  ])("is not a text with %s", (_what, text) => {
    expect(isUrn(text)).toBe(false);
    expect(parseUrn(text)).toBeUndefined();
    expect(uuidOf(text)).toBe("");
    expect(urnType(text)).toBeUndefined();
  });

  it("is not a value of another type", () => {
    for (const value of [null, undefined, 1, true, {}, [term]]) expect(isUrn(value)).toBe(false);
  });

  it("keeps the case in which the service wrote it", () => {
    const upper = term.toUpperCase().replace("URN:DATA:DEV:CATALOG:TERM", "urn:data:dev:catalog:term");
    expect(uuidOf(upper)).toBe(uuid("a", 1).toUpperCase());
  });
});
