import { describe, expect, it } from "vitest";
import { describeParts, labelsOf } from "../../src/model/sub-entity-label.ts";
import { marker } from "../../src/model/translate.ts";
import { newKey, sourceKey, targetKey } from "./ids.ts";

const urn = "urn:data:prod:catalog:catalog-attribute:00000000-0000-4000-8000-000000000001";
const nameOf = (value: string): string | undefined =>
  ({ [urn]: "EMAIL", [marker(urn)]: "EMAIL, new" })[value];
const labels = (source: object, target: object = {}, fields = ["attributeUrn", "severity"]) => [
  ...labelsOf(source as never, target as never, fields, nameOf).values(),
];

describe("a sub-entity is called", () => {
  it("by its name, by what it is about, or by its place", () => {
    expect(labels({ [targetKey(1)]: { name: "Own", attributeUrn: urn } })).toEqual(["Own"]);
    expect(labels({ [targetKey(1)]: { attributeUrn: urn } })).toEqual(["EMAIL"]);
    expect(labels({ [targetKey(1)]: { attributeUrn: marker(urn) } })).toEqual(["EMAIL, new"]);
    expect(labels({ [newKey(1)]: { value: 1 }, [targetKey(2)]: { value: 2 } })).toEqual(["#1", "#2"]);
  });

  it("never by a URN that nothing is known of", () => {
    const unknown = urn.replace(/1$/u, "9");
    expect(labels({ [targetKey(1)]: { attributeUrn: unknown, severity: "ERROR" } })).toEqual(["ERROR"]);
    expect(labels({ [targetKey(1)]: { attributeUrn: unknown } })).toEqual(["#1"]);
  });

  it("so that no two of a map are called the same", () => {
    const alike = { name: "Email" };
    expect(labels({ [targetKey(1)]: alike, [newKey(2)]: alike, [newKey(3)]: alike })).toEqual([
      "Email",
      "Email #2",
      "Email #3",
    ]);
  });

  it("in the same way whatever order the target gives", () => {
    const [a, b] = [{ [targetKey(5)]: {} }, { [targetKey(4)]: {} }];
    const label = (target: object) => labelsOf({}, target as never, [], nameOf).get(targetKey(5));
    expect(label({ ...a, ...b })).toBe("#2");
    expect(label({ ...b, ...a })).toBe("#2");
  });
});

it("parts are described with the field that holds them, at every level", () => {
  const parts = describeParts(
    {
      inputGroups: { main: { inputs: { [sourceKey(1)]: { name: "value" } } } },
      list: [{ joins: { [newKey(2)]: { attributeUrn: urn, pairs: { [sourceKey(3)]: {} } } } }],
    },
    ["attributeUrn"],
    nameOf,
  );
  expect(Object.fromEntries(parts)).toEqual({
    [sourceKey(1)]: { field: "inputs", label: "value" },
    [sourceKey(2)]: { field: "joins", label: "EMAIL" },
    [sourceKey(3)]: { field: "pairs", label: "#1" },
  });
});
