import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import {
  at,
  catalog,
  type Estate,
  expectRefusal,
  seedEstate,
  startWorld,
  urnAt,
  type World,
} from "./support.ts";

const uuid = "11111111-1111-4111-8111-111111111111";

async function world(): Promise<World & { readonly estate: Estate }> {
  const started = await startWorld();
  const { dev } = started;
  seed.seedMetadataProperty(dev, "term", { name: "abbreviation" });
  seed.seedMetadataProperty(dev, "businessTerm", { name: "level", scalarType: "integer" });
  seed.seedMetadataProperty(dev, "businessTerm", { name: "official", scalarType: "boolean" });
  seed.seedMetadataProperty(dev, "businessTerm", { name: "usage", scalarType: "integer", editable: false });
  seed.seedMetadataProperty(dev, "businessTerm", {
    name: "parent",
    type: "SINGLE_REFERENCE",
    entityName: "businessTerm",
  });
  seed.seedMetadataProperty(dev, "businessTerm", {
    name: "related",
    type: "ARRAY_REFERENCE",
    entityName: "term",
  });
  return { ...started, estate: seedEstate(dev) };
}

type Refusal = readonly [string, string, (estate: Estate) => JsonObject];

/** Wrong in a new term and in a patch alike. */
const wrongFields: readonly Refusal[] = [
  [
    "an extra property that the metadata model does not have",
    "extraProperties/colour",
    () => ({ extraProperties: { colour: "red" } }),
  ],
  ["an extra property in other letters", "extraProperties/Level", () => ({ extraProperties: { Level: 1 } })],
  [
    "a field of its own as an extra property",
    "extraProperties/name",
    () => ({ extraProperties: { name: "x" } }),
  ],
  ["a read-only property", "extraProperties/usage", () => ({ extraProperties: { usage: 1 } })],
  ["an integer as text", "extraProperties/level", () => ({ extraProperties: { level: "1" } })],
  ["an integer with a fraction", "extraProperties/level", () => ({ extraProperties: { level: 1.5 } })],
  ["a boolean as text", "extraProperties/official", () => ({ extraProperties: { official: "true" } })],
  ["text as a number", "extraProperties/abbreviation", () => ({ extraProperties: { abbreviation: 1 } })],
  [
    "a reference to what does not exist",
    "extraProperties/parent",
    () => ({ extraProperties: { parent: `urn:data:dev:catalog:term:${uuid}` } }),
  ],
  [
    "a reference to something of another type",
    "extraProperties/parent",
    (estate) => ({ extraProperties: { parent: estate.group } }),
  ],
  [
    "a reference that is no URN",
    "extraProperties/parent",
    () => ({ extraProperties: { parent: "Customer" } }),
  ],
  [
    "a reference to another tenant",
    "extraProperties/parent",
    () => ({ extraProperties: { parent: `urn:data:prod:catalog:term:${uuid}` } }),
  ],
  [
    "one reference where an array is",
    "extraProperties/related",
    (estate) => ({ extraProperties: { related: estate.group } }),
  ],
  [
    "null for a reference array, which [] clears",
    "extraProperties/related",
    () => ({ extraProperties: { related: null } }),
  ],
  [
    "a bad reference within an array",
    "extraProperties/related/0",
    (estate) => ({ extraProperties: { related: [estate.group] } }),
  ],
  [
    "a detection rule that does not exist",
    "detectionRules/ruleAssignments/0/detectionRuleUrn",
    (estate) => detection(estate.group, 5),
  ],
  [
    "a threshold above 100",
    "detectionRules/ruleAssignments/0/threshold",
    (estate) => detection(estate.detectionRule, 101),
  ],
  [
    "a threshold with a fraction",
    "detectionRules/ruleAssignments/0/threshold",
    (estate) => detection(estate.detectionRule, 0.5),
  ],
  [
    "an operator that is neither AND nor OR",
    "detectionRules/operator",
    () => ({ detectionRules: { operator: "XOR" } }),
  ],
  ["a description that is no string", "description", () => ({ description: 5 })],
  ["an empty name", "name", () => ({ name: " " })],
  ["a urn, which is read-only", "urn", () => ({ urn: `urn:data:dev:catalog:term:${uuid}` })],
  ["a URN of another tenant anywhere", "note/0", () => ({ note: [`urn:data:prod:catalog:term:${uuid}`] })],
];

function detection(detectionRuleUrn: string, threshold: number): JsonObject {
  return { detectionRules: { operator: "AND", ruleAssignments: [{ detectionRuleUrn, threshold }] } };
}

const wrongNew: readonly Refusal[] = [
  ...wrongFields,
  ["no name", "name", () => ({ name: null })],
  ["no type", "type", () => ({ type: null })],
  ["a type that is no term", "type", () => ({ type: "source" })],
  ["the abstract root type", "type", () => ({ type: "term" })],
  ["description null: optional fields are not nullable here", "description", () => ({ description: null })],
  [
    "detectionRules null: optional fields are not nullable here",
    "detectionRules",
    () => ({ detectionRules: null }),
  ],
  [
    "extraProperties null: optional fields are not nullable here",
    "extraProperties",
    () => ({ extraProperties: null }),
  ],
];

describe("document 1, POST /terms/bulk", () => {
  test("creates in the order of the request, with generated URNs, published", async () => {
    const { api, estate } = await world();
    const reply = await api.post(`${catalog}/terms/bulk`, {
      terms: [
        { type: "businessTerm", name: "A", description: "a", extraProperties: { level: 3 } },
        { type: "securityTerm", name: "B", ...detection(estate.detectionRule, 80) },
      ],
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      data: [
        { type: "businessTerm", name: "A" },
        { type: "securityTerm", name: "B" },
      ],
    });
    expect(urnAt(reply.body, "data.0.urn")).toMatch(/^urn:data:dev:catalog:term:/);
    expect(at((await api.get(`${catalog}/terms`)).body, "meta.total")).toBe(2);
  });

  test.each(wrongNew)("refuses %s, and the whole request with it", async (_what, pointer, fields) => {
    const { api, dev, estate } = await world();
    const good = { type: "businessTerm", name: "Good" };
    const bad = { type: "businessTerm", name: "Bad", ...fields(estate) };
    expectRefusal(
      await api.post(`${catalog}/terms/bulk`, { terms: [good, bad] }),
      400,
      `#/terms/1/${pointer}`,
    );
    expect(dev.counts().terms).toBe(0);
  });

  test.each([0, 101])("Limits: %i items are refused", async (count) => {
    const { api, dev } = await world();
    const terms = Array.from({ length: count }, () => ({ type: "businessTerm", name: "A" }));
    expectRefusal(await api.post(`${catalog}/terms/bulk`, { terms }), 400, "#/terms");
    expect(dev.counts().terms).toBe(0);
  });
});

describe("document 1, PATCH /terms/{urn}", () => {
  test("merges: only the fields present change, null clears, unmentioned extra properties stay", async () => {
    const { api, dev } = await world();
    const other = seed.seedTerm(dev, { name: "Other" });
    const extraProperties = { level: 1, abbreviation: "T", related: [other.urn] };
    const { urn } = seed.seedTerm(dev, { name: "T", description: "d", extraProperties });
    const reply = await api.patch(`${catalog}/terms/${urn}`, {
      description: null,
      extraProperties: { level: null, related: [], official: true },
    });
    expect(reply.body).toEqual({ urn, type: "businessTerm", name: "T" });
    const read = await api.get(`${catalog}/terms/${urn}?extraProperties=level,abbreviation,related,official`);
    expect(at(read.body, "extraProperties")).toEqual({
      level: null,
      abbreviation: "T",
      related: [],
      official: true,
    });
  });

  test("detectionRules merge as RFC 7386 says: the array is replaced, the operator stays", async () => {
    const { api, dev, estate } = await world();
    const { urn } = seed.seedTerm(dev, { name: "T", ...detection(estate.detectionRule, 80) });
    const reply = await api.patch(`${catalog}/terms/${urn}`, { detectionRules: { ruleAssignments: [] } });
    expect(at(reply.body, "detectionRules")).toEqual({ operator: "AND", ruleAssignments: [] });
    expect(
      at((await api.patch(`${catalog}/terms/${urn}`, { detectionRules: null })).body, "detectionRules"),
    ).toBeUndefined();
  });

  test.each(wrongFields)("refuses %s", async (_what, pointer, fields) => {
    const { api, dev, estate } = await world();
    const { urn } = seed.seedTerm(dev, { name: "T" });
    const before = JSON.stringify(dev.dump());
    expectRefusal(await api.patch(`${catalog}/terms/${urn}`, fields(estate)), 400, `#/${pointer}`);
    expect(JSON.stringify(dev.dump())).toBe(before);
  });

  test("the type of a term cannot be changed", async () => {
    const { api, dev } = await world();
    const { urn } = seed.seedTerm(dev, { name: "T" });
    expectRefusal(await api.patch(`${catalog}/terms/${urn}`, { type: "securityTerm" }), 400, "#/type");
  });
});

describe("document 1, reading terms", () => {
  test("extra properties and related data only on request", async () => {
    const { api, dev, estate } = await world();
    const { urn } = seed.seedTerm(dev, {
      name: "T",
      critical: true,
      extraProperties: { level: 1, abbreviation: "x" },
    });
    seed.seedStewardship(dev, { entityUrn: urn, groupUrn: estate.group });
    expect((await api.get(`${catalog}/terms/${urn}`)).body).toEqual({ urn, type: "businessTerm", name: "T" });
    const asked = await api.get(
      `${catalog}/terms/${urn}?extraProperties=level&include=effectiveCriticality,effectiveStewardship`,
    );
    expect(asked.body).toEqual({
      urn,
      type: "businessTerm",
      name: "T",
      extraProperties: { level: 1 },
      effectiveCriticality: { isCritical: true },
      effectiveStewardship: { groupUrn: estate.group, originUrn: urn },
    });
  });

  test("an extra property or related data that does not exist is refused", async () => {
    const { api } = await world();
    expectRefusal(await api.get(`${catalog}/terms?extraProperties=level,colour`), 400);
    expectRefusal(await api.get(`${catalog}/terms?include=everything`), 400);
  });

  test("published terms only", async () => {
    const { api, dev } = await world();
    const draft = seed.seedTerm(dev, { name: "Draft", published: false });
    expect(at((await api.get(`${catalog}/terms`)).body, "meta.total")).toBe(0);
    expectRefusal(await api.get(`${catalog}/terms/${draft.urn}`), 404);
  });

  test("DELETE gives 204, then 404, and the term is assigned to nothing any more", async () => {
    const { api, dev, estate } = await world();
    const { urn } = seed.seedTerm(dev, { name: "T" });
    const attributeUrn = estate.customers.attributes["email"]?.urn ?? urn;
    seed.seedAssignment(dev, { attributeUrn, termUrn: urn });
    expect((await api.delete(`${catalog}/terms/${urn}`)).status).toBe(204);
    expectRefusal(await api.delete(`${catalog}/terms/${urn}`), 404);
    expectRefusal(await api.get(`${catalog}/terms/${urn}`), 404);
    expectRefusal(await api.patch(`${catalog}/terms/${urn}`, { name: "U" }), 404);
    expect(JSON.stringify(dev.dump())).not.toContain(urn);
  });
});
