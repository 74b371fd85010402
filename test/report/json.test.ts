import { expect, test } from "vitest";
import { renderJson } from "../../src/report/index.ts";
import { emptyResult, largeResult, richResult } from "./fixtures.ts";

test.each([
  ["rich", richResult()],
  ["empty", emptyResult()],
  ["large", largeResult(200)],
])("the %s document is the model without what apply alone needs", (_name, result) => {
  const changes = result.changes.map((change) => Object.assign({}, change, { work: undefined }));
  expect(renderJson(result)).not.toContain('"work"');
  expect(JSON.parse(renderJson(result))).toEqual({ ...result, changes });
});

test("keys have one order, whatever order the model was built in", () => {
  const result = richResult();
  const turned = Object.fromEntries(Object.entries(result).reverse()) as unknown as typeof result;
  expect(renderJson(turned)).toBe(renderJson(result));
  const keys = Object.keys(JSON.parse(renderJson(result)) as object);
  expect(keys.filter((key) => ["version", "summary", "changes", "requests"].includes(key))).toEqual([
    "version",
    "summary",
    "changes",
    "requests",
  ]);
});

test("is one document with a line break at its end and no raw control character", () => {
  const text = renderJson(richResult());
  expect(text.endsWith("}\n")).toBe(true);
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  expect(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/u.exec(text)).toBeNull();
});

test("a field called __proto__ is carried like any other", () => {
  const parsed = JSON.parse(renderJson(richResult())) as { changes: { fields: { from?: unknown }[] }[] };
  const found = parsed.changes.flatMap((change) => change.fields.map((field) => field.from));
  const odd = found.filter(
    (value) => typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__"),
  );
  expect(odd.length).toBeGreaterThan(20);
});

test("absent and null stay apart", () => {
  const [change] = richResult().changes;
  if (change === undefined) throw new Error("the fixture is empty");
  const text = renderJson({
    ...emptyResult(),
    changes: [{ ...change, fields: [{ path: "/a", from: null }] }],
  });
  expect((JSON.parse(text) as { changes: { fields: object[] }[] }).changes[0]?.fields).toEqual([
    { path: "/a", from: null },
  ]);
});
