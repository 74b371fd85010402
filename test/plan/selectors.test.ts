import { describe, expect, test } from "vitest";
import { load, placed, plus, problems } from "./support.ts";

describe("a selector as the flags take it", () => {
  test.each([
    ["rules:Email*", { kind: "rules", name: "Email*" }],
    ["Email*", { name: "Email*" }],
    ["terms:a:b", { kind: "terms", name: "a:b" }],
    ["urn:x:data-quality:rule:1", { urns: ["urn:x:data-quality:rule:1"] }],
  ])("%s", (text, selector) => {
    const { plan } = load(plus(`select: { include: ["${text}", { name: other }], exclude: ["${text}"] }\n`));
    expect(plan.select.include).toEqual([selector, { name: "other" }]);
    expect(plan.select.exclude).toEqual([selector]);
  });

  test.each([
    ["rulez:Email*", '"select.include[0].kind": there is no such kind', "Did you mean rules?"],
    [
      "folders:A",
      '"select.include[0].kind": the kind folders is not selected',
      "Add folders to select.kinds",
    ],
  ])("of a kind that it cannot be of: %s", (text, summary, suggestion) => {
    const found = placed(problems(plus(`select: { include: ["${text}"] }\n`)));
    expect(found).toEqual([
      { path: "select.include[0].kind", line: 14, summary, suggestion: expect.stringContaining(suggestion) },
    ]);
  });

  test("that is empty is none", () => {
    expect(problems(plus('select: { include: [""] }\n'))).toMatchObject([
      { summary: '"select.include[0]": expected a map, found a text' },
    ]);
  });
});
