import { describe, expect, test } from "vitest";
import { holds, holdsMore, isChanged } from "../../../src/engine/settle/holds.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Shape } from "../../../src/model/shape.ts";
import { strip } from "../../../src/model/shape.ts";

const shape: Shape = {
  known: ["urn", "name", "description", "parts", "tags", "steps"],
  serverOwned: ["/urn", "/draftType", "/parts/*/computed"],
  labels: ["name"],
};

const [k1, k2, t1, t2] = [1, 2, 3, 4].map((number) => `00000000-0000-4000-8000-00000000000${number}`) as [
  string,
  string,
  string,
  string,
];
const urn = `urn:data:prod:data-quality:rule:${t1}`;

/** Sent under temporary keys, as every create and every addition is. */
const sent: JsonObject = {
  name: "Rule",
  description: "What it checks",
  parts: {
    [`new_${k1}`]: { name: "one", value: 1 },
    [`new_${k2}`]: { name: "two", value: 2, names: `new_${k1}` },
  },
  tags: ["b", "a"],
};
const stored: JsonObject = {
  urn,
  draftType: "CHANGE",
  name: "Rule",
  description: "What it checks",
  parts: {
    [t2]: { name: "two", value: 2, names: t1 },
    [t1]: { urn: `urn:data:prod:data-quality:part:${t1}`, name: "one", value: 1, computed: true },
  },
  tags: ["a", "b"],
};

describe("a body is what was expected", () => {
  test.each([
    ["as it was sent", sent],
    ["under assigned keys, in another order, with what the service fills", stored],
    ["with a correlationId beside the new parts", { ...stored, correlationId: "new_1" }],
    ["with null, {} and [] for what is not set", { ...stored, owner: null, options: {}, links: [] }],
    ["with a field that nobody has set", { ...stored, revision: 7 }],
    ["with a part of its own for everybody", { ...stored, defaults: { enabled: true } }],
  ])("%s", (_what, body) => {
    expect(holds(sent, body, shape)).toBe(true);
  });
});

describe("a body is something else", () => {
  const parts = stored["parts"] as JsonObject;
  test.each([
    ["another value", { ...stored, description: "Something else" }],
    ["a value that is missing", without(stored, "description")],
    ["a value that was cleared", { ...stored, description: null }],
    ["another value inside a part", { ...stored, parts: { ...parts, [t1]: { name: "one", value: 10 } } }],
    ["a part that is missing", { ...stored, parts: without(parts, t2) }],
    ["no parts at all", without(stored, "parts")],
    ["an element too few", { ...stored, tags: ["a"] }],
    ["an element too many", { ...stored, tags: ["a", "b", "c"] }],
    [
      "a part that names another one",
      { ...stored, parts: { ...parts, [t2]: { name: "two", value: 2, names: t2 } } },
    ],
    ["nothing", {}],
  ])("%s", (_what, body) => {
    expect(holds(sent, body, shape)).toBe(false);
  });
});

describe("a body holds more than was expected", () => {
  const parts = stored["parts"] as JsonObject;
  const keys = { [k1]: t1, [k2]: t2 };
  const foreignKey = "00000000-0000-4000-8000-000000000005";
  const copy = { ...stored, parts: { ...parts, [foreignKey]: { name: "one", value: 1 } } };

  test.each([
    ["a part of its own", { ...stored, parts: { ...parts, [foreignKey]: { name: "three" } } }],
    ["a second copy of a part that was added", copy],
    [
      "a part inside a part",
      { ...stored, parts: { ...parts, [t1]: { name: "one", in: { [foreignKey]: {} } } } },
    ],
    ["a field that the documents name", { ...stored, steps: ["theirs"] }],
    [
      "parts in a field that the documents do not name",
      { ...stored, others: { [foreignKey]: { name: "x" } } },
    ],
  ])("%s", (_what, body) => {
    expect(holdsMore(sent, body, shape, keys)).toBe(true);
    expect(holdsMore(sent, body, shape, {})).toBe(true);
  });

  test("a copy under another key than the one that the patch was answered with, whichever comes first", () => {
    for (const order of [copy, { ...copy, parts: reversed(copy["parts"]) }]) {
      expect(holdsMore(sent, order, shape, keys)).toBe(true);
      expect(
        holdsMore({ ...sent, parts: without(sent["parts"] as JsonObject, `new_${k1}`) }, order, shape, {}),
      ).toBe(true);
    }
    const [only] = [{ ...stored, parts: { ...without(parts, t1), [foreignKey]: parts[t1] ?? null } }];
    // Ours is gone and somebody else's is there: the content says the same, the key does not.
    expect(holdsMore(sent, only, shape, keys)).toBe(true);
    expect(holdsMore(sent, only, shape, {})).toBe(false);
  });

  test.each([
    ["what was sent, under assigned keys", stored],
    ["a field that the documents do not name", { ...stored, revision: 7, defaults: { enabled: true } }],
    ["less", { name: "Rule", parts: without(parts, t2) }],
  ])("but not: %s", (_what, body) => {
    expect(holdsMore(sent, body, shape, keys)).toBe(false);
  });
});

describe("a body is what a change should have made of it", () => {
  const part = { [t1]: { name: "one", value: 1 } };
  const before: JsonObject = {
    name: "Rule",
    description: "What it checks",
    parts: { ...part, [t2]: { name: "two", value: 2 } },
    tags: ["a", "b"],
  };
  const removed: JsonObject = { ...before, parts: part };
  const added: JsonObject = {
    ...before,
    parts: { ...(before["parts"] as JsonObject), [`new_${k1}`]: { name: "three" } },
  };
  const cleared = without(before, "description");
  const renamed: JsonObject = { ...before, name: "Renamed" };
  const assigned = "00000000-0000-4000-8000-000000000006";
  const three = { ...before, parts: { ...(before["parts"] as JsonObject), [assigned]: { name: "three" } } };

  test.each([
    ["a new value", renamed, renamed],
    ["a part was removed", removed, removed],
    ["a part was added", added, three],
    ["a field was cleared", cleared, { ...cleared, description: null }],
    ["all elements were removed", { ...before, tags: [] }, { ...before, tags: [] }],
    ["the service fills a field that the documents do not name", renamed, { ...renamed, revision: 7 }],
  ])("%s", (_what, expected, body) => {
    expect(isChanged(strip(expected, shape), before, { urn, draftType: "CHANGE", ...body }, shape)).toBe(
      true,
    );
  });

  test.each([
    ["the value is the old one", renamed, before],
    ["the part to remove is still there", removed, before],
    [
      "the part to remove is still there, and somebody else changed it",
      removed,
      { ...before, parts: { ...part, [t2]: { name: "theirs" } } },
    ],
    ["the part to add is not there", added, before],
    [
      "the part to add is there twice",
      added,
      { ...three, parts: { ...(three["parts"] as JsonObject), [k2]: { name: "three" } } },
    ],
    ["the field to clear is still there", cleared, before],
    ["the elements to remove are still there", { ...before, tags: [] }, before],
    ["somebody else added a part", renamed, { ...three, name: "Renamed" }],
    ["somebody else changed a value", renamed, { ...renamed, description: "Theirs" }],
    ["somebody else set a field that the documents name", renamed, { ...renamed, steps: ["theirs"] }],
    ["somebody else removed a part", renamed, { ...renamed, parts: part }],
  ])("not when %s", (_what, expected, body) => {
    expect(isChanged(strip(expected, shape), before, { urn, draftType: "CHANGE", ...body }, shape)).toBe(
      false,
    );
  });

  test("a field that nobody has set does not count, a field that was to go does", () => {
    const filled = { ...before, note: "theirs" };
    expect(isChanged(before, filled, filled, shape)).toBe(false);
    expect(isChanged(before, before, filled, shape)).toBe(true);
  });
});

test("what was to go and is still there counts in a field that nobody knows as well, however deep", () => {
  const there: JsonObject = { name: "Rule", other: { marks: ["a"], deep: { note: "x", word: "y" } } };
  const other = there["other"] as JsonObject;
  const cleared = [
    { ...there, other: { ...other, marks: [] } },
    { ...there, other: { ...other, deep: { word: "y" } } },
    { ...there, other: { marks: ["a"] } },
    { name: "Rule" },
  ].map((body) => strip(body, shape));
  for (const expected of cleared) {
    expect(isChanged(expected, there, there, shape)).toBe(false);
    expect(isChanged(expected, there, expected, shape)).toBe(true);
    // What was not there before was to go from nowhere: the service has filled it.
    expect(isChanged(expected, { name: "Rule" }, there, shape)).toBe(true);
  }
  const filled = { ...there, other: { ...other, more: { note: "x" } } };
  expect(isChanged(there, there, filled, shape)).toBe(true);
});

function reversed(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).toReversed());
}

function without(body: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
}
