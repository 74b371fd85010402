import { expect, test } from "vitest";
import type { Action, AppliedChange } from "../../src/model/change.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { renderMarkdown, renderText } from "../../src/report/index.ts";
import { blocked } from "./blocked.ts";
import { resultOf } from "./fixtures.ts";

const leftOut: Diagnostic = {
  severity: "warning",
  code: "reference-dropped",
  pointer: "/groupUrn",
  summary: "the reference to urn:data:dev:iam:group:1 is left out, as the plan says: it has no twin",
};
const starts: Diagnostic = {
  severity: "warning",
  code: "schedule-starts",
  summary: "its schedule starts running at the target at once",
};

const changed = (action: Action, number: number, diagnostics: readonly Diagnostic[]): AppliedChange => ({
  ...blocked("terms", number, `T${number}`, []),
  diagnostics,
  action,
  reason: "nothing at the target stands for it",
});
const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ");

test.each(["create", "adopt", "update", "replace"] as const)(
  "what is said of one %s is told with it, in the terminal and in a comment",
  (action) => {
    const result = resultOf([changed(action, 1, [leftOut]), changed(action, 2, [])]);
    for (const text of [renderText(result), renderMarkdown(result)]) {
      expect(oneLine(text)).toContain("is left out, as the plan says: it has no twin");
      expect(text).toContain("/groupUrn");
      expect(text).toContain("T2");
    }
  },
);

test("what the head tells of all is not said with each, and many are counted", () => {
  const started = resultOf([changed("create", 1, [starts])]);
  for (const text of [renderText(started), renderMarkdown(started)])
    expect(oneLine(text)).not.toContain(starts.summary);
  const many = resultOf(Array.from({ length: 60 }, (_, number) => changed("create", number, [leftOut])));
  const text = renderText(many);
  expect(text.match(/^ +warning/gmu)).toHaveLength(50);
  expect(text).toContain("... and 10 more (see --format html or --json)");
});
