import { describe, expect, it, test } from "vitest";
import { fingerprint, printOf } from "../../src/model/canonical.ts";
import { difference } from "../../src/model/difference.ts";
import { inFormOf, instantOf, inUtc, withInstants } from "../../src/model/instant.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Shape } from "../../src/model/shape.ts";

const bare: Shape = { known: ["name", "schedule"], serverOwned: [] };
const shape: Shape = { ...bare, instants: [["schedule", "startAt"]] };

const fieldsOf = (one: JsonObject, other: JsonObject): readonly unknown[] =>
  difference(one, other, { shape, targetOnly: "keep", keys: {} }).fields;

const at = (startAt: JsonObject["startAt"]): JsonObject => ({
  name: "Nightly",
  schedule: { cron: "0 0 2 * * ?", startAt },
});

const midnight = "2026-12-01T00:00:00+02:00";

describe("one instant", () => {
  test.each([
    "2026-11-30T22:00:00Z",
    "2026-11-30T22:00Z",
    "2026-11-30t22:00:00.000z",
    "2026-12-01T00:00:00+0200",
    "2026-11-30T17:00:00-05:00",
  ])("is %s as well", (text) => {
    expect(instantOf(text)).toBe(instantOf(midnight));
    expect(fingerprint(at(text), shape)).toBe(fingerprint(at(midnight), shape));
    expect(printOf(at(text), shape)).toBe(printOf(at(midnight), shape));
    expect(fieldsOf(at(text), at(midnight))).toEqual([]);
    expect(inFormOf(at(midnight), at(text), shape)).toEqual(at(midnight));
  });

  test.each(["2026-11-30T22:00:00.001Z", "2026-11-30T22:00:01Z", "2026-12-01T00:00:00Z"])(
    "is not %s",
    (text) => {
      expect(instantOf(text)).not.toBe(instantOf(midnight));
      expect(fingerprint(at(text), shape)).not.toBe(fingerprint(at(midnight), shape));
      expect(fieldsOf(at(text), at(midnight))).toHaveLength(1);
    },
  );
});

test.each(["2026-12-01", "2026-12-01T00:00:00", "2026-13-41T00:00:00Z", "tomorrow, or the day after it", ""])(
  "%j names no instant, and is a text like any other",
  (text) => {
    expect(instantOf(text)).toBeUndefined();
    expect(withInstants(at(text), shape)).toEqual(at(text));
    expect(inFormOf(at(midnight), at(text), shape)).toEqual(at(text));
  },
);

test.each<[string, JsonObject]>([
  ["no such field", { name: "Nightly" }],
  ["a field that holds nothing", { name: "Nightly", schedule: null }],
  ["a list in its place", { name: "Nightly", schedule: [{ startAt: midnight }] }],
  ["nothing inside of it", { name: "Nightly", schedule: {} }],
  ["a number", at(1_764_540_000)],
])("a body with %s is as it was", (_what, body) => {
  expect(withInstants(body, shape)).toEqual(body);
  expect(inFormOf(at(midnight), body, shape)).toEqual(body);
  expect(inFormOf(body, at(midnight), shape)).toEqual(at(midnight));
});

describe("in UTC", () => {
  it("has no fraction that says nothing, or thousandths at least", () => {
    expect(inUtc(instantOf(midnight) ?? "")).toEqual(["2026-11-30T22:00:00Z", "2026-11-30T22:00:00.000Z"]);
    expect(inUtc(instantOf("2026-11-30T22:00:00.5Z") ?? "")).toEqual([
      "2026-11-30T22:00:00.5Z",
      "2026-11-30T22:00:00.500Z",
    ]);
  });

  it("a body has one text for it; what is no instant by its kind stays as it is", () => {
    expect(withInstants(at(midnight), shape)).toEqual(at("2026-11-30T22:00:00Z"));
    expect(withInstants(at(midnight), bare)).toEqual(at(midnight));
  });
});
