import { describe, expect, test } from "vitest";
import { holds } from "../../src/engine/apply/holds.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Shape } from "../../src/model/shape.ts";

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

function without(body: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
}
