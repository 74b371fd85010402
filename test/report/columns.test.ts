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

test("wraps at spaces and leaves long words whole", () => {
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("urn:a:very:long:thing here", 10)).toEqual(["urn:a:very:long:thing", "here"]);
});
