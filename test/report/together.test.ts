import { expect, test } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { renderMarkdown, renderText } from "../../src/report/index.ts";
import { together } from "../../src/report/together.ts";
import { resultOf } from "./fixtures.ts";

const cause = { key: "k", summary: "rules act through terms", suggestion: "Link them." };
const one = (brief: string): Diagnostic => ({
  severity: "warning",
  code: "link-term-rule",
  summary: `the rule ${brief} acts`,
  suggestion: "Link them.",
  brief,
  cause,
});

test("what three or more share is said once, with each behind it", () => {
  expect(together([one("a"), one("b")])).toHaveLength(2);
  const other: Diagnostic = { severity: "info", code: "defect", summary: "else" };
  expect(together([one("a"), other, one("b"), one("c")])).toEqual([
    {
      severity: "warning",
      code: "link-term-rule",
      summary: "rules act through terms (3)",
      detail: "a, b, c",
      suggestion: "Link them.",
    },
    other,
  ]);
  const result = resultOf([], { diagnostics: [one("a"), one("b"), one("c")] });
  for (const text of [renderText(result), renderMarkdown(result)]) {
    expect(text.match(/rules act through terms/g)).toHaveLength(1);
    expect(text).toContain("a, b, c");
  }
});

test("what is worse is not taken for said where something milder has the same cause", () => {
  const worse = ["d", "e", "f"].map((brief): Diagnostic => ({ ...one(brief), severity: "error" }));
  const found = together([one("a"), one("b"), one("c"), ...worse]);
  expect(found.map(({ severity, detail }) => [severity, detail])).toEqual([
    ["warning", "a, b, c"],
    ["error", "d, e, f"],
  ]);
});
