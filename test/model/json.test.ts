import { describe, expect, it } from "vitest";
import type { MutableJson } from "../../src/model/json.ts";
import {
  child,
  fromEntries,
  isArray,
  isObject,
  own,
  pointerToken,
  setOwn,
  text,
} from "../../src/model/json.ts";

describe("values", () => {
  it("are told apart: objects, arrays and the rest", () => {
    expect([{}, [], null, "a", 1, undefined].map(isObject)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect([{}, [], null, "a", 1, undefined].map(isArray)).toEqual([false, true, false, false, false, false]);
  });

  it("of a field are the object's own, of the type that is asked for", () => {
    const body = { name: "Email", count: 1, inner: { a: 1 }, list: [1] };
    expect(own(body, "name")).toBe("Email");
    expect(own(body, "toString")).toBeUndefined();
    expect(own(body, "__proto__")).toBeUndefined();
    expect([text(body, "name"), text(body, "count"), text(body, "absent")]).toEqual([
      "Email",
      undefined,
      undefined,
    ]);
    expect([child(body, "inner"), child(body, "list"), child(body, "name")]).toEqual([
      { a: 1 },
      undefined,
      undefined,
    ]);
  });

  it("are set under any name, the one of the prototype included", () => {
    const body: MutableJson = {};
    setOwn(body, "__proto__", { polluted: true });
    setOwn(body, "constructor", 1);
    expect(Object.entries(body)).toEqual([
      ["__proto__", { polluted: true }],
      ["constructor", 1],
    ]);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect("polluted" in body).toBe(false);
    setOwn(body, "__proto__", 2);
    expect(own(body, "__proto__")).toBe(2);
  });
});

describe("an object of entries", () => {
  it("holds them all, the last of a name, whatever the names are", () => {
    const made = fromEntries([
      ["a", 1],
      ["__proto__", { b: 2 }],
      ["a", 3],
    ]);
    expect(Object.entries(made)).toEqual([
      ["a", 3],
      ["__proto__", { b: 2 }],
    ]);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  });
});

describe("a token of a JSON pointer", () => {
  it("is escaped so that it can be told from the others", () => {
    expect(pointerToken("a/b~c")).toBe("a~1b~0c");
    expect(pointerToken("~1")).toBe("~01");
    expect(pointerToken("")).toBe("");
  });
});
