import { expect, test } from "vitest";
import { richTextsOf } from "../../src/report/rich-text.ts";

const richTextOf = (value: unknown): string | undefined => richTextsOf([value])[0];

test("the words of rich text, with what it names and where it leads", () => {
  const text = JSON.stringify([
    {
      type: "paragraph",
      children: [
        { text: "See " },
        { type: "entityReference", entityName: "Order", children: [{ text: "" }] },
      ],
    },
    {
      type: "paragraph",
      children: [{ type: "link", url: "https://a.example", children: [{ text: "more" }] }],
    },
  ]);
  expect(richTextOf(text)).toBe("See @Order\nmore (https://a.example)");
});

test.each([undefined, 5, "plain", "[1]", "[{", '[{"a":1}]', { type: "paragraph" }])(
  "%o is no rich text",
  (value) => {
    expect(richTextOf(value)).toBeUndefined();
  },
);

test("what is built to be endless, or to turn a line around, is cut and shown", () => {
  let node: object = { text: "deep" };
  for (let depth = 0; depth < 500; depth += 1) node = { children: [node] };
  expect(richTextOf(JSON.stringify([{ type: "p", children: [node] }]))).toBe("…");
  expect(richTextOf(JSON.stringify([{ type: "p", children: [{ text: "a\u202eb" }] }]))).not.toContain(
    "\u202e",
  );
});

test("two versions that refer to something else are shown with what they refer to", () => {
  const rich = (text: string, gid: string): string =>
    JSON.stringify([
      {
        type: "paragraph",
        children: [{ text }, { type: "entityReference", entityName: "Order", gid, children: [] }],
      },
    ]);
  expect(richTextsOf([rich("See ", "1"), rich("Look at ", "2"), undefined])).toEqual([
    "See @Order (1)",
    "Look at @Order (2)",
    undefined,
  ]);
  expect(richTextsOf([rich("See ", "1"), rich("Look at ", "1")])).toEqual(["See @Order", "Look at @Order"]);
});
