import { expect, test } from "vitest";
import { memberField, only, without } from "../../src/model/fields.ts";

const body = { name: "A", empty: {}, extra: { owner: "x", "a/b": 1 }, list: [1] };

test.each([
  ["nothing", [], body],
  ["a field", ["name"], { empty: {}, extra: body.extra, list: [1] }],
  ["a field with members", ["extra"], { name: "A", empty: {}, list: [1] }],
  ["a member", [memberField("extra", "owner")], { ...body, extra: { "a/b": 1 } }],
  ["a member whose name has a slash", [memberField("extra", "a/b")], { ...body, extra: { owner: "x" } }],
  // An empty map that was not there before would be another content.
  ["all members", ["extra/owner", "extra/a/b"], { name: "A", empty: {}, list: [1] }],
])("less %s", (_what, fields, left) => {
  expect(without(body, fields)).toEqual(left);
});

test.each([
  ["nothing", [], {}],
  ["a field", ["name"], { name: "A" }],
  ["a field with members", ["extra"], { extra: body.extra }],
  ["a member", ["extra/owner"], { extra: { owner: "x" } }],
  ["what is not there", ["extra/none", "other"], {}],
])("only %s", (_what, fields, left) => {
  expect(only(body, fields)).toEqual(left);
});
