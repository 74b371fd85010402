import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { addTo, replaceItem, replaceValue } from "../../src/plan/edit.ts";
import { interpolate } from "../../src/plan/interpolate.ts";

const entry = { kind: "rules", urn: "urn:a", reason: 'it is "known"' };
const written = '{ kind: rules, urn: urn:a, reason: it is "known" }';

describe("a value is added to a plan, and nothing else changes", () => {
  test("to a list that is not there, at the end", () => {
    const text = "version: 1 # one\nselect:\n  kinds: [ rules ]   # these\n  # not these\n";
    expect(addTo(text, ["acknowledged"], { value: entry })).toBe(`${text}acknowledged:\n  - ${written}\n`);
    expect(addTo("version: 1", ["acknowledged"], { value: entry })).toBe(
      `version: 1\nacknowledged:\n  - ${written}\n`,
    );
  });

  test("to a list with a line an item, behind what belongs to the last one", () => {
    const text = "acknowledged:\n- kind: rules\n  name: x # why\n# what follows\nlimits: {}\n";
    expect(addTo(text, ["acknowledged"], { value: entry, comment: "Supplier\nhas" })).toBe(
      `acknowledged:\n- kind: rules\n  name: x # why\n- ${written} # Supplier has\n# what follows\nlimits: {}\n`,
    );
  });

  test("to a list on one line, an empty one too", () => {
    expect(addTo("acknowledged: []\n", ["acknowledged"], { value: 1 })).toBe("acknowledged: [ 1 ]\n");
    expect(addTo("acknowledged: [ 1 ] # x\n", ["acknowledged"], { value: 2 })).toBe(
      "acknowledged: [ 1, 2 ] # x\n",
    );
    expect(addTo("a: [\n  1,\n  2,\n]\n", ["a"], { value: 3 })).toBe("a: [\n  1,\n  2, 3\n]\n");
  });

  test("to a plan whose lines end as Windows ends them, and so do the new ones", () => {
    const text = "version: 1\r\nacknowledged:\r\n- kind: rules\r\n  name: x\r\n";
    const added = addTo(text, ["acknowledged"], { value: entry, comment: "why" }) ?? "";
    expect(added).toBe(`${text}- ${written} # why\r\n`);
    expect(replaceItem(added, ["acknowledged"], 1, { ...entry, reason: "another" })).toBe(
      `${text}- { kind: rules, urn: urn:a, reason: another } # why\r\n`,
    );
    // Who mixes them gets what is written everywhere else.
    expect(addTo("version: 1\r\na: 1\n", ["b"], { value: 1 })).toBe("version: 1\r\na: 1\nb:\n  - 1\n");
  });

  test("a value of several lines stands on one", () => {
    const told = { kind: "rules", reason: "until March\nsee the ticket" };
    for (const text of ["version: 1\n", "acknowledged: []\n", "acknowledged:\n  - a: 1 # why\n"]) {
      const added = addTo(text, ["acknowledged"], { value: told }) ?? "";
      expect((parse(added) as { acknowledged: unknown[] }).acknowledged.at(-1)).toEqual(told);
      expect(added.split("\n").filter((line) => line.includes("March"))).toHaveLength(1);
    }
    const replaced = replaceItem("acknowledged:\n  - { a: 1 } # why\n", ["acknowledged"], 0, told);
    expect(replaced).toBe(`acknowledged:\n  - ${JSON.stringify(told)} # why\n`);
    const paired = addTo("version: 1\n", ["pairing", "sources"], { key: "a\nb", value: "c\nd" }) ?? "";
    expect(parse(paired)).toEqual({ version: 1, pairing: { sources: { "a\nb": "c\nd" } } });
  });

  test("to a plan in JSON, which stays JSON", () => {
    const text = '{\n  "version": 1,\n  "select": { "kinds": ["rules"] }\n}\n';
    const added = addTo(text, ["acknowledged"], { value: entry, comment: "why" }) ?? "";
    expect(JSON.parse(added)).toEqual({ version: 1, select: { kinds: ["rules"] }, acknowledged: [entry] });
    expect(added.startsWith(text.slice(0, -4))).toBe(true);
    const changed = { ...entry, reason: "another" };
    const again = replaceItem(added, ["acknowledged"], 0, changed) ?? "";
    expect(JSON.parse(again)).toMatchObject({ acknowledged: [changed] });
    const more = addTo(again, ["pairing", "sources"], { key: "a b", value: "c" }) ?? "";
    expect(JSON.parse(more)).toMatchObject({ acknowledged: [changed], pairing: { sources: { "a b": "c" } } });
  });

  test("under a key with nothing behind it", () => {
    expect(addTo("pairing:\nlimits: {}\n", ["pairing", "sources"], { key: "a b", value: "c" })).toBe(
      "pairing: { sources: { a b: c } }\nlimits: {}\n",
    );
  });

  test("into maps, at any depth", () => {
    const text = "pairing:\n  sources: { a: b }\n  # none yet\nlimits: {}\n";
    expect(addTo(text, ["pairing", "sources"], { key: "Snowflake: DEV", value: "x" })).toBe(
      'pairing:\n  sources: { a: b, "Snowflake: DEV": x }\n  # none yet\nlimits: {}\n',
    );
    expect(addTo(text, ["pairing", "connections"], { key: "d", value: "e" })).toBe(
      "pairing:\n  sources: { a: b }\n  connections: { d: e }\n  # none yet\nlimits: {}\n",
    );
    expect(addTo("pairing:\n  sources:\n    a: b\n", ["pairing", "sources"], { key: "c", value: "d" })).toBe(
      "pairing:\n  sources:\n    a: b\n    c: d\n",
    );
  });

  test("to JSON, which stays JSON for who reads it as YAML", () => {
    const text = '{ "version": 1, "select": {} }\n';
    const changed = addTo(text, ["acknowledged"], { value: entry }) ?? "";
    expect(parse(changed)).toEqual({ version: 1, select: {}, acknowledged: [entry] });
  });

  test("never where it would say something else than is wanted", () => {
    expect(addTo("a: b: c\n", ["acknowledged"], { value: 1 })).toBeUndefined();
    expect(addTo("acknowledged: all\n", ["acknowledged"], { value: 1 })).toBeUndefined();
    expect(addTo("acknowledged: { a: 1 }\n", ["acknowledged"], { value: 1 })).toBeUndefined();
    expect(addTo("a: &x [1]\nb: *x\n", ["a"], { value: 2 })).toBeUndefined();
    // What gives way holds what something else stands for.
    expect(replaceItem("a:\n  - &x 1\nb: *x\n", ["a"], 0, 2)).toBeUndefined();
    expect(replaceItem("a:\n  - { b: &x 1 }\n  - { b: *x }\n", ["a"], 0, 2)).toBeUndefined();
    expect(replaceValue("a: &x one\nb: *x\n", ["a"], "two")).toBeUndefined();
  });
});

test.each(["${HOME}", "a $${HOME} b", "$HOME", "$&", "${HOME}${HOME}"])(
  "%s in a name is no variable",
  (name) => {
    const read = (text: string | undefined): unknown => interpolate(parse(text ?? ""), { HOME: "/root" }, []);
    expect(read(addTo("a: {}\n", ["a"], { key: "k", value: name }))).toEqual({ a: { k: name } });
    expect(read(addTo("a: []\n", ["a"], { value: { [name]: [name] } }))).toEqual({ a: [{ [name]: [name] }] });
    expect(read(replaceItem("a: [1]\n", ["a"], 0, { name }))).toEqual({ a: [{ name }] });
    expect(read(replaceValue("a: one\n", ["a"], name))).toEqual({ a: name });
  },
);

test("an item is replaced, and what stands around it stays", () => {
  const text =
    "acknowledged:\n  - kind: rules\n    urn: urn:a\n    reason: old\n  # next\n  - { kind: terms, urn: urn:b } # b\n";
  const changed = replaceItem(text, ["acknowledged"], 0, entry) ?? "";
  expect(changed).toBe(`acknowledged:\n  - ${written}\n  # next\n  - { kind: terms, urn: urn:b } # b\n`);
  expect(replaceItem(text, ["acknowledged"], 1, entry)).toContain(`- ${written} # b\n`);
  expect(replaceItem(text, ["acknowledged"], 7, entry)).toBeUndefined();
});
