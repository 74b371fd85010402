import * as fc from "fast-check";
import { expect, test } from "vitest";
import { columns, cut, pad, wrap } from "../../src/report/columns.ts";

test.each([
  ["plain", 5],
  ["顧客番号", 8],
  ["café", 4],
  ["cafe\u0301", 4],
  ["👩‍💻", 2],
  ["한국어", 6],
  ["ﾊﾝｶｸ", 4],
  ["مرحبا", 5],
  ["", 0],
])("%s takes %i columns", (text, expected) => {
  expect(columns(text)).toBe(expected);
});

test("pads and cuts by columns, never through a character", () => {
  expect(pad("顧客", 6)).toBe("顧客  ");
  expect(cut("顧客番号", 6)).toBe("顧客…");
  expect(columns(cut("顧客番号", 6))).toBeLessThanOrEqual(6);
  expect(cut("short", 10)).toBe("short");
});

test("what is long is cut as what is short: as many whole characters as fit", () => {
  const piece = fc.constantFrom("a", "b c", "é", "e\u0301", "顧", "👩‍💻", "\u0301", "longer words");
  const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 12 }), (text, width) => {
      const segments = Array.from(new Intl.Segmenter("en").segment(text), ({ segment }) => segment);
      const fits = (count: number): boolean => columns(segments.slice(0, count).join("")) <= width - 1;
      let most = segments.length;
      while (most > 0 && !fits(most)) most -= 1;
      const expected = columns(text) <= width ? text : `${segments.slice(0, most).join("")}…`;
      expect(cut(text, width)).toBe(expected);
    }),
  );
});

test("wraps at spaces and leaves long words whole", () => {
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("urn:a:very:long:thing here", 10)).toEqual(["urn:a:very:long:thing", "here"]);
});

test("what is counted without a look at clusters is one column each, beside anything", () => {
  const clusters = new Intl.Segmenter("en", { granularity: "grapheme" });
  const wrong: string[] = [];
  for (let code = 0x20; code < 0x2200; code += 1) {
    const letter = String.fromCharCode(code);
    // A letter of another script makes the whole text be looked at.
    const alone = columns(`${letter}a${letter}`);
    const looked = columns(`ж${letter}a${letter}`) - 1;
    const [...parts] = clusters.segment(`ж${letter}`);
    if (alone !== looked && parts.length === 2) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});
