import { expect, test } from "vitest";
import type { AppliedChange } from "../../src/model/change.ts";
import { lineChange } from "../../src/report/line-change.ts";
import { renderText } from "../../src/report/index.ts";
import { resultOf } from "./fixtures.ts";
import { urnOf } from "./urns.ts";

const query = (where: string): string => `SELECT id,\n  email\nFROM sales.customer\n${where}\nORDER BY id`;

function changed(from: string, to: string): AppliedChange {
  const urn = urnOf("dev", "sql-items", 1);
  return {
    id: urn,
    action: "update",
    kind: "sql-items",
    source: { urn, name: "Active customers" },
    target: { urn, name: "Active customers" },
    reason: "it changed at the source",
    fields: [{ path: "/query", from, to }],
    diagnostics: [],
    dependsOn: [],
  };
}

test("a query's change is shown as lines, with the lines around it", () => {
  const text = renderText(resultOf([changed(query("WHERE active"), query("WHERE active\n  AND NOT test"))]));
  expect(text).toContain(
    [
      "      ~ /query:",
      "             WHERE active",
      "           +   AND NOT test",
      "             ORDER BY id",
    ].join("\n"),
  );
  expect(text).not.toContain("SELECT");
});

test("a long change is cut, unless all is asked for", () => {
  const many = Array.from({ length: 30 }, (_, index) => `  column_${index}`).join("\n");
  const result = resultOf([changed(query("WHERE active"), query(many))]);
  expect(renderText(result)).toContain("+ ... and 22 more lines");
  expect(renderText(result, { verbose: 2 })).toContain("column_29");
});

test.each([
  ["nothing in common", ["a", "b"], ["c"], [[], ["a", "b"], ["c"], []]],
  ["a line more at the end", ["a"], ["a", "b"], [["a"], [], ["b"], []]],
  ["a line less at the start", ["a", "b"], ["b"], [[], ["a"], [], ["b"]]],
  ["the same line said twice", ["a", "a"], ["a"], [["a"], ["a"], [], []]],
])("lines: %s", (_what, from, to, [before, removed, added, after]) => {
  expect(lineChange(from, to)).toEqual({ before, removed, added, after });
});
