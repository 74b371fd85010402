import { expect, test } from "vitest";
import { columns } from "../../src/report/columns.ts";
import { renderMarkdown, renderText } from "../../src/report/index.ts";
import { windowed } from "../../src/report/window.ts";
import { resultOf } from "./fixtures.ts";
import { blocked } from "./blocked.ts";

const long = (shared: number, end: string): string => `${"a".repeat(shared)}${end}${"z".repeat(400)}`;

/** A change with this one field. */
const changed = (from: string, to: string) =>
  resultOf([
    { ...blocked("terms", 1, "T", []), action: "update", fields: [{ path: "/description", from, to }] },
  ]);

test.each([0, 5, 20, 38, 39, 60, 300, 399, 900])(
  "two texts that part after %i characters are shown apart at every width",
  (shared) => {
    const result = changed(long(shared, "one"), long(shared, "two"));
    for (const width of [40, 60, 80, 120]) {
      const [before = "", after = ""] = renderText(result, { width })
        .split("\n")
        .filter((line) => /^ {9,}\S|^ {6} {2}->/u.test(line))
        .map((line) => line.replace("->", "").trim());
      expect(before).not.toBe("");
      expect(before).not.toBe(after);
    }
    const lines = renderMarkdown(result).split("\n");
    const side = (mark: string): string =>
      lines.find(
        (line) => line.trimStart().startsWith(`${mark} "`) || line.trimStart().startsWith(`${mark} …`),
      ) ?? "";
    expect(side("-").replace("-", "")).not.toBe(side("+").replace("+", ""));
  },
);

test("texts of many lines are shown from where they part", () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index}`);
  const markdown = renderMarkdown(changed([...lines, "old"].join("\n"), [...lines, "new"].join("\n")));
  expect(markdown).toMatch(/- \.\.\. 58 lines as they are\n.*- line 58\n.*- line 59\n.*- old\n/u);
  expect(markdown).toMatch(/\+ new\n/u);
});

test("what fits is left as it is, and wide letters count for two", () => {
  expect(windowed("abc", "abd", 10)).toEqual(["abc", "abd"]);
  const [before, after] = windowed(
    `${"顧".repeat(20)}a${"客".repeat(40)}`,
    `${"顧".repeat(20)}b${"客".repeat(40)}`,
    40,
  );
  expect(before.startsWith(`…${"顧".repeat(16)}a`)).toBe(true);
  expect(columns(before)).toBe(columns(after));
});

test("versions of which two are alike are shown from where the third parts from them", () => {
  const [same, other] = [long(300, "one"), long(300, "two")];
  const contested = {
    ...blocked("terms", 1, "T", []),
    action: "drift" as const,
    fields: [
      { path: "/description", from: other, to: same, base: { value: same }, movedAt: "target" as const },
    ],
  };
  const shown = (label: string): string =>
    renderText(resultOf([contested]), { width: 80 })
      .split("\n")
      .find((line) => line.trimStart().startsWith(`${label} `))
      ?.trim()
      .slice(label.length)
      .trim() ?? "";
  const [base, there] = [shown("last applied"), shown("prod")];
  expect(base).toContain("one");
  expect(there).toContain("two");
});
