import { describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { isUuid, uuidOf } from "../../src/model/urn.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { isObject } from "../../src/emulator/json.ts";
import {
  at,
  attributeOf,
  type Estate,
  expectRefusal,
  quality,
  resultOf,
  ruleBody,
  seedEmailRule,
  seedEstate,
  startWorld,
  textAt,
  urnAt,
  type World,
} from "./support.ts";

async function world(): Promise<World & { readonly estate: Estate }> {
  const started = await startWorld();
  return { ...started, estate: seedEstate(started.dev) };
}

describe("document 2, Endpoints used for migration: POST /rules/batch/create", () => {
  test("rules are published at once; correlationIds map every temporary key to a fresh UUID", async () => {
    const { api, dev, estate } = await world();
    const reply = await api.post(`${quality}/rules/batch/create`, {
      data: [{ id: "one", ...ruleBody(estate) }],
    });
    expect(reply.status).toBe(207);
    expect(reply.body).toMatchObject({
      meta: { total: 1, success: 1, fail: 0 },
      results: [{ id: "one", status: "OK" }],
    });
    const keys = at(reply.body, "results.0.data.correlationIds");
    expect(isObject(keys) && Object.keys(keys).sort()).toEqual([
      "new_bad",
      "new_email",
      "new_main",
      "new_pattern",
    ]);
    expect(isObject(keys) && Object.values(keys).every((key) => typeof key === "string" && isUuid(key))).toBe(
      true,
    );
    const urn = urnAt(reply.body, "results.0.data.urn");
    const read = await api.get(`${quality}/rules/${urn}`);
    expect(read.body).toMatchObject({ urn, draftType: "NONE", name: "Email is valid" });
    const main = textAt(keys, "new_main");
    const email = textAt(keys, "new_email");
    const inputUrn = textAt(read.body, `inputGroups.${main}.inputs.${email}.urn`);
    expect(uuidOf(inputUrn)).toBe(email);
    expect(JSON.stringify(read.body)).not.toContain("correlationId");
    expect(dev.counts().rules).toBe(1);
  });

  test("items are independent: one that fails does not stop the others, and results keep their order", async () => {
    const { api, dev, estate } = await world();
    const first: JsonObject = { id: "bad", name: "No groups" };
    const reply = await api.post(`${quality}/rules/batch/create`, { data: [first, ruleBody(estate)] });
    expect(reply.body).toMatchObject({
      meta: { total: 2, success: 1, fail: 1 },
      results: [
        {
          id: "bad",
          status: "VALIDATION_ERROR",
          error: { type: "VALIDATION_ERROR", title: expect.any(String) },
        },
        { status: "OK" },
      ],
    });
    expect(dev.counts().rules).toBe(1);
  });

  test.each([0, 101])("Limits: %i items are refused as a whole", async (count) => {
    const { api, dev, estate } = await world();
    const data = Array.from({ length: count }, () => ruleBody(estate));
    expectRefusal(await api.post(`${quality}/rules/batch/create`, { data }), 400, "#/data");
    expect(dev.counts().rules).toBe(0);
  });

  test("fields that nobody has named are stored and returned", async () => {
    const { api, estate } = await world();
    const unknown = { severityModel: { weights: [1, 2, null], nested: { deep: true } } };
    const reply = await api.post(`${quality}/rules/batch/create`, {
      data: [{ ...ruleBody(estate), ...unknown }],
    });
    const read = await api.get(`${quality}/rules/${urnAt(reply.body, "results.0.data.urn")}`);
    expect(read.body).toMatchObject(unknown);
  });

  test("a map that no document names is one of sub-entities when its keys are", async () => {
    const { api, estate } = await world();
    const body = { ...ruleBody(estate), explanations: { new_why: { text: "because" } } };
    const reply = await api.post(`${quality}/rules/batch/create`, { data: [body] });
    const key = textAt(reply.body, "results.0.data.correlationIds.new_why");
    const read = await api.get(`${quality}/rules/${urnAt(reply.body, "results.0.data.urn")}`);
    expect(at(read.body, `explanations.${key}`)).toEqual({ text: "because" });
  });
});

const raw = "11111111-1111-4111-8111-111111111111";
const foreign = `urn:data:prod:data-quality:dq-dimension:${raw}`;

/** What is wrong with a rule, the pointer of the refusal, and the rule of the documents. */
const refusals: readonly (readonly [string, string, (estate: Estate) => JsonObject])[] = [
  ["page 04: name is required", "#/name", () => ({ name: "" })],
  ["page 04: inputGroups is required", "#/inputGroups", () => ({ inputGroups: {} })],
  [
    "page 04: at least one input group is not joined",
    "#/inputGroups",
    () => ({ inputGroups: { new_main: { joined: true, inputs: {} } } }),
  ],
  ["page 04: implementation is required", "#/implementation", () => ({ implementation: null })],
  [
    "page 04: the implementation has conditions",
    "#/implementation/conditions",
    (estate) => ({ implementation: { dqDimensionUrn: estate.dimension.urn, conditions: {} } }),
  ],
  [
    "migration rule 6: an empty stringExpression evaluates nothing",
    "#/implementation/conditions/new_bad/stringExpression",
    (estate) => condition(estate, { stringExpression: "", resultUrn: resultOf(estate) }),
  ],
  [
    "page 04: resultUrn is a result of the same dimension",
    "#/implementation/conditions/new_bad/resultUrn",
    (estate) =>
      condition(estate, { stringExpression: "x", resultUrn: estate.otherDimension.results[0]?.urn ?? "" }),
  ],
  [
    "the dimension exists",
    "#/implementation/dqDimensionUrn",
    (estate) => ({ implementation: { dqDimensionUrn: estate.group, conditions: {} } }),
  ],
  [
    "page 04: a URN of another tenant is wrong here",
    "#/implementation/dqDimensionUrn",
    () => ({ implementation: { dqDimensionUrn: foreign } }),
  ],
  [
    "a URN of another tenant is refused in fields that nobody has named too",
    "#/anything/0/deep",
    () => ({ anything: [{ deep: foreign }] }),
  ],
  [
    "transformationUrn exists",
    "#/implementation/transformations/new_t/transformationUrn",
    (estate) => withTransformation(estate, estate.group),
  ],
  [
    "migration rule 4: raw UUID keys are refused",
    `#/inputGroups/${raw}`,
    () => ({ inputGroups: { [raw]: { joined: false, inputs: {} } } }),
  ],
  [
    "migration rule 4: raw UUID keys are refused at every level",
    `#/inputGroups/new_main/inputs/${raw}`,
    () => ({
      inputGroups: { new_main: { joined: false, inputs: { [raw]: { name: "a", dataType: "STRING" } } } },
    }),
  ],
  [
    "sub-entity identifiers 2: a key without new_ is refused",
    "#/inputGroups/main",
    () => ({ inputGroups: { main: { joined: false, inputs: {} } } }),
  ],
  [
    "sub-entity identifiers 2: more than 36 characters after new_ are refused",
    `#/inputGroups/new_${"a".repeat(37)}`,
    () => ({ inputGroups: { [`new_${"a".repeat(37)}`]: { joined: false, inputs: {} } } }),
  ],
  [
    "sub-entity identifiers 2: other characters are refused",
    "#/inputGroups/new_a.b",
    () => ({ inputGroups: { "new_a.b": { joined: false, inputs: {} } } }),
  ],
  [
    "sub-entity identifiers 2: a temporary key is unique within the request",
    "#/parameters/new_bad",
    () => ({ parameters: { new_bad: { name: "a", dataType: "STRING" } } }),
  ],
  [
    "sub-entity identifiers 1: a urn that does not match its key is refused",
    "#/parameters/new_pattern/urn",
    () => ({
      parameters: {
        new_pattern: {
          name: "a",
          dataType: "STRING",
          urn: `urn:data:dev:data-quality:rule-parameter:${raw}`,
        },
      },
    }),
  ],
];

function condition(estate: Estate, fields: JsonObject): JsonObject {
  return { implementation: { dqDimensionUrn: estate.dimension.urn, conditions: { new_bad: fields } } };
}

function withTransformation(estate: Estate, transformationUrn: string): JsonObject {
  const implementation = ruleBody(estate)["implementation"];
  return {
    implementation: { ...(implementation as JsonObject), transformations: { new_t: { transformationUrn } } },
  };
}

describe("a rule is refused with the pointer of its fault", () => {
  test.each(refusals)("%s", async (_rule, pointer, change) => {
    const { api, dev, estate } = await world();
    const body = { ...ruleBody(estate), ...change(estate) };
    const key = "new_bad";
    // The conditions come after the parameters in the body, so their key is the one that is taken.
    const sorted = pointer === `#/parameters/${key}` ? moveLast(body, "parameters") : body;
    const reply = await api.post(`${quality}/rules/batch/create`, { data: [sorted] });
    expect(reply.status).toBe(207);
    expect(at(reply.body, "results.0.status")).toBe("VALIDATION_ERROR");
    const errors = at(reply.body, "results.0.error.errors");
    expect(JSON.stringify(errors)).toContain(`"pointer":"${pointer.replace("#", "#/data/0")}"`);
    expect(dev.counts().rules).toBe(0);
  });

  function moveLast(body: JsonObject, key: string): JsonObject {
    const { [key]: moved, ...rest } = body;
    return { ...rest, [key]: moved ?? null };
  }

  test("a transformation that exists is taken", async () => {
    const { api, estate } = await world();
    const body = { ...ruleBody(estate), ...withTransformation(estate, estate.transformation) };
    const reply = await api.post(`${quality}/rules/batch/create`, { data: [body] });
    expect(at(reply.body, "results.0.status")).toBe("OK");
  });

  test("a temporary key is unique within the request, the items of a batch included", async () => {
    const { api, estate } = await world();
    const reply = await api.post(`${quality}/rules/batch/create`, {
      data: [ruleBody(estate), ruleBody(estate, "B")],
    });
    expect(reply.body).toMatchObject({ results: [{ status: "OK" }, { status: "VALIDATION_ERROR" }] });
  });
});

describe("page 04: PATCH, publish and DELETE of a rule", () => {
  test("PATCH opens a draft that no reader sees until it is published", async () => {
    const { api, dev, estate } = await world();
    const { urn } = seedEmailRule(dev, estate);
    const patched = await api.patch(`${quality}/rules/${urn}`, { description: "new" });
    expect(patched.body).toMatchObject({ draftType: "CHANGE", description: "new" });
    expect(at((await api.get(`${quality}/rules/${urn}`)).body, "description")).toBeUndefined();
    const published = await api.post(`${quality}/rules/${urn}/publish`);
    expect(published.body).toMatchObject({ draftType: "NONE", description: "new" });
    expect(at((await api.get(`${quality}/rules/${urn}`)).body, "description")).toBe("new");
  });

  test("null under a sub-entity key deletes it, a new_ key adds one and comes back in correlationId", async () => {
    const { api, dev, estate } = await world();
    const { urn, keys } = seedEmailRule(dev, estate);
    const parameter = keys["pattern"] ?? "";
    const reply = await api.patch(`${quality}/rules/${urn}`, {
      parameters: { [parameter]: null, new_limit: { name: "limit", dataType: "LONG" } },
    });
    const parameters = at(reply.body, "parameters");
    expect(Object.values(isObject(parameters) ? parameters : {})).toMatchObject([
      { name: "limit", correlationId: "new_limit" },
    ]);
    await api.post(`${quality}/rules/${urn}/publish`);
    expect(JSON.stringify((await api.get(`${quality}/rules/${urn}`)).body)).not.toContain("correlationId");
  });

  test("a raw UUID key that does not exist is refused on update", async () => {
    const { api, dev, estate } = await world();
    const { urn } = seedEmailRule(dev, estate);
    const reply = await api.patch(`${quality}/rules/${urn}`, { parameters: { [raw]: { name: "a" } } });
    expectRefusal(reply, 400, `#/parameters/${raw}`);
    expectRefusal(await api.patch(`${quality}/rules/${urn}`, { parameters: { [raw]: null } }), 400);
    expect(dev.counts().drafts).toBe(0);
  });

  test("publishing what the condition builder left without expression is refused with what is missing", async () => {
    const { api, dev, estate } = await world();
    const built = seed.seedRule(dev, {
      name: "Built",
      inputGroups: { main: { joined: false, inputs: {} } },
      implementation: {
        dqDimensionUrn: estate.dimension.urn,
        conditions: { bad: { stringExpression: "", resultUrn: resultOf(estate) } },
      },
    });
    await api.patch(`${quality}/rules/${built.urn}`, { description: "x" });
    const pointer = `#/implementation/conditions/${built.keys["bad"]}/stringExpression`;
    expectRefusal(await api.post(`${quality}/rules/${built.urn}/publish`), 400, pointer);
  });

  test("DELETE gives 204, then 404; an unknown rule gives 404 everywhere", async () => {
    const { api, dev, estate } = await world();
    const { urn } = seedEmailRule(dev, estate);
    expect((await api.delete(`${quality}/rules/${urn}`)).status).toBe(204);
    expectRefusal(await api.delete(`${quality}/rules/${urn}`), 404);
    expectRefusal(await api.get(`${quality}/rules/${urn}`), 404);
    expectRefusal(await api.patch(`${quality}/rules/${urn}`, {}), 404);
    expectRefusal(await api.post(`${quality}/rules/${urn}/publish`), 404);
  });

  test("a rule that a monitor applies cannot be deleted (undocumented)", async () => {
    const { api, dev, estate } = await world();
    const rule = seedEmailRule(dev, estate);
    const { catalogItemUrn } = estate.customers.primaryMonitor;
    const monitor = seed.seedMonitor(dev, {
      catalogItemUrn,
      name: "M",
      manualRuleInstances: {
        i: {
          ruleUrn: rule.urn,
          mappings: {
            m: {
              catalogItemAttributeUrn: attributeOf(estate.customers, "email"),
              ruleAttributeUrn: rule.urns["email"] ?? "",
            },
          },
        },
      },
    });
    expectRefusal(await api.delete(`${quality}/rules/${rule.urn}`), 409);
    await api.delete(`${quality}/catalog-items/${catalogItemUrn}/dq-monitors/${monitor.urn}`);
    expect((await api.delete(`${quality}/rules/${rule.urn}`)).status).toBe(204);
  });

  test("the list and GET show published rules only; a malformed URN gives 400", async () => {
    const { api, dev, estate } = await world();
    seedEmailRule(dev, estate);
    const draft = seed.seedRule(
      dev,
      { name: "Draft", inputGroups: {}, implementation: { dqDimensionUrn: estate.dimension.urn } },
      "NEW",
    );
    expect(at((await api.get(`${quality}/rules`)).body, "meta.total")).toBe(1);
    expectRefusal(await api.get(`${quality}/rules/${draft.urn}`), 404);
    expectRefusal(await api.get(`${quality}/rules/nonsense`), 400);
  });
});

describe("page 04: dimensions and transformations", () => {
  test("dimensions list their results with the flag, transformations their input type", async () => {
    const { api, estate } = await world();
    const dimensions = await api.get(`${quality}/dq-dimensions`);
    expect(at(dimensions.body, "data.0")).toEqual(structuredClone(estate.dimension));
    expect(at((await api.get(`${quality}/transformations`)).body, "data")).toEqual([
      { urn: estate.transformation, name: "Trim", inputDataType: "STRING" },
    ]);
  });
});
