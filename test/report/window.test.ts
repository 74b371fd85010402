import { expect, test } from "vitest";
import { columns, cut } from "../../src/report/columns.ts";
import { renderHtml, renderMarkdown, renderText } from "../../src/report/index.ts";
import { allWindowed, windowed } from "../../src/report/window.ts";
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

test.each([10, 60, 300])(
  "three versions are told apart where two of them part after the third has: %i",
  (first) => {
    const [base, source, target] = ["old", "new", "new"].map((word, at) => {
      const end = ["", "ours", "theirs"][at] ?? "";
      return `${"a".repeat(first)}${word}${"m".repeat(500)}${end}${"z".repeat(40)}`;
    });
    for (const width of [60, 80, 120]) {
      const shown = allWindowed([base ?? "", source ?? "", target ?? ""], width).map((text) =>
        cut(text, width),
      );
      expect(new Set(shown).size).toBe(3);
      expect(shown[0]).toContain("old");
      expect([shown[1], shown[2]]).toEqual([
        expect.stringContaining("ours"),
        expect.stringContaining("theirs"),
      ]);
    }
  },
);

/** What each format shows of both sides. */
function sidesOf(from: string, to: string): readonly (readonly [before: string, after: string])[] {
  const result = changed(from, to);
  const fields = renderMarkdown(result).split("@@").at(-1) ?? "";
  const lines = [renderText(result, { width: 80 }), fields].map((text) =>
    text.split("\n").map((line) => line.trim()),
  );
  const page = /"from":(\{.*?\}),"to":(\{.*?\})/u.exec(renderHtml(result)) ?? [];
  const all = (of: readonly string[], mark: string): string =>
    of.flatMap((line) => (line.startsWith(`${mark} `) ? [line.slice(2)] : [])).join("\n");
  return [...lines.map((of) => [all(of, "-"), all(of, "+")] as const), [page[1] ?? "", page[2] ?? ""]];
}

test("line breaks of two sorts are seen where they are what differs, and nowhere else", () => {
  const shown = sidesOf("select 1\r\nfrom dual", "select 1\nfrom dual");
  expect(shown).toHaveLength(3);
  for (const [before, after] of shown) {
    expect(before).toContain("u{d}");
    expect(before).not.toBe(after);
  }
  expect(JSON.stringify(sidesOf("select 1\r\nfrom a", "select 1\r\nfrom b"))).not.toContain("u{d}");
});

test("each line of several that is changed far behind its beginning is shown from there", () => {
  const query = (end: string): string =>
    ["select a", "from x"].map((line) => line.padEnd(500, ".") + end).join("\n");
  for (const [before, after] of sidesOf(query("1"), query("2"))) {
    const [was, will] = [before.split("\n"), after.split("\n")];
    expect(was.length).toBe(will.length);
    for (const [at, line] of was.entries()) expect(line).not.toBe(will[at]);
  }
});
