import { expect, test } from "vitest";
import { nearNames, written } from "../../../src/engine/read/unmatched.ts";

const objects = [
  "Email format",
  "Email domain",
  "Phone number format",
  "Customer",
  "Rule A",
  "Straße ist gefüllt",
].map((name) => ({ selectedAs: "rules", name }));

test.each([
  ["Emial*", '"Email domain" or "Email format"'],
  ["email*", '"Email domain" or "Email format"'],
  ["email format", '"Email format"'],
  ["*fromat", '"Email format" or "Phone number format"'],
  ["*nubmer*", '"Phone number format"'],
  ["Custmer", '"Customer"'],
  ["strase*", '"Straße ist gefüllt"'],
])("near to %s: %s", (name, found) => {
  expect(nearNames([{ list: "include", selector: { kind: "rules", name } }], objects)).toEqual([
    `For "${name}", did you mean ${found}?`,
  ]);
});

test.each(["*", "", "?", "*x", "zzzzzzzz", "Fax*"])("nothing is near to %j", (name) => {
  expect(nearNames([{ list: "exclude", selector: { name } }], objects)).toEqual([]);
});

test("names of other kinds are not what was meant", () => {
  const selector = { kind: "terms", name: "Custmer" };
  expect(nearNames([{ list: "include", selector }], objects)).toEqual([]);
});

test("at most three", () => {
  const many = ["Rule A", "Rule B", "Rule C", "Rule D"].map((name) => ({ selectedAs: "rules", name }));
  expect(nearNames([{ list: "include", selector: { name: "Rule X" } }], many)).toEqual([
    'For "Rule X", did you mean "Rule A", "Rule B" or "Rule C"?',
  ]);
});

test("a long list of URNs is cut", () => {
  const urns = ["a", "b", "c", "d", "e", "f", "g"];
  expect(written({ list: "include", selector: { kind: "rules", urns } })).toBe(
    "include: kind rules, URNs a, b, c, d, e and 2 more",
  );
});
