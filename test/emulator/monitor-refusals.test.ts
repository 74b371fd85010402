import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import { attributeOf, expectRefusal, quality, seedEstate, urnAt } from "./support.ts";
import { instanceBody, type MonitorWorld, monitorWorld, path } from "./monitor-world.ts";

const uuid = "11111111-1111-4111-8111-111111111111";
const unknown = (type: string, tenant = "dev"): string => `urn:data:${tenant}:${type}:${uuid}`;

/** The whole monitor with one field of its rule instance, or of the part of it, replaced. */
function withInstance(world: MonitorWorld, fields: JsonObject): JsonObject {
  return instanceBody(world, fields);
}

function withJoin(world: MonitorWorld, fields: JsonObject): JsonObject {
  const body = instanceBody(world);
  const joins = body["joinConfigurations"] as { new_j: JsonObject };
  return { ...body, joinConfigurations: { new_j: { ...joins.new_j, ...fields } } };
}

type Refusal = readonly [string, string, (world: MonitorWorld) => JsonObject];

const instance = "#/manualRuleInstances/new_i";
const join = "#/joinConfigurations/new_j";

const refusals: readonly Refusal[] = [
  [
    "an instance needs a rule that exists",
    `${instance}/ruleUrn`,
    (world) => withInstance(world, { ruleUrn: unknown("data-quality:rule") }),
  ],
  ["an instance needs a rule", `${instance}/ruleUrn`, (world) => withInstance(world, { ruleUrn: null })],
  [
    "page 04: a rule of another tenant",
    `${instance}/ruleUrn`,
    (world) => withInstance(world, { ruleUrn: unknown("data-quality:rule", "prod") }),
  ],
  [
    "page 04: a mapping names an input of its own rule",
    `${instance}/mappings/new_m/ruleAttributeUrn`,
    (world) =>
      withInstance(world, {
        mappings: {
          new_m: {
            catalogItemAttributeUrn: attributeOf(world.estate.customers, "email"),
            ruleAttributeUrn: world.otherRule.urns["email"] ?? "",
          },
        },
      }),
  ],
  [
    "a mapping names an attribute of the monitor's item",
    `${instance}/mappings/new_m/catalogItemAttributeUrn`,
    (world) =>
      withInstance(world, {
        mappings: {
          new_m: {
            catalogItemAttributeUrn: attributeOf(world.estate.orders, "total"),
            ruleAttributeUrn: world.rule.urns["email"] ?? "",
          },
        },
      }),
  ],
  [
    "a connected mapping names an attribute of the joined item",
    `${instance}/connectedMappings/new_cm/connectedCatalogItemAttributeUrn`,
    (world) =>
      withInstance(world, {
        connectedMappings: {
          new_cm: {
            connectedCatalogItemAttributeUrn: attributeOf(world.estate.customers, "email"),
            joinConfigurationKey: "new_j",
          },
        },
      }),
  ],
  [
    "Update rules 3: joinConfigurationKey names a join of the request or one that exists",
    `${instance}/connectedMappings/new_cm/joinConfigurationKey`,
    (world) =>
      withInstance(world, {
        connectedMappings: {
          new_cm: {
            connectedCatalogItemAttributeUrn: attributeOf(world.estate.orders, "total"),
            joinConfigurationKey: "new_other",
          },
        },
      }),
  ],
  [
    "page 04: a parameter value names a parameter of its own rule",
    `${instance}/parameterValues/new_p/ruleParameterUrn`,
    (world) =>
      withInstance(world, {
        parameterValues: { new_p: { value: "x", ruleParameterUrn: world.otherRule.urns["pattern"] ?? "" } },
      }),
  ],
  [
    "page 04: thresholds are percentages, not 101",
    `${instance}/dqThresholds/new_t/value`,
    (world) => withInstance(world, { dqThresholds: { new_t: { value: 101 } } }),
  ],
  [
    "page 04: thresholds are percentages, not -1",
    "#/overallDqThresholds/new_o/value",
    () => ({ overallDqThresholds: { new_o: { value: -1 } } }),
  ],
  [
    "a threshold is a number",
    "#/overallDqThresholds/new_o/value",
    () => ({ overallDqThresholds: { new_o: { value: "5" } } }),
  ],
  [
    "Update rules 2: a join keeps a foreign-key pair",
    `${join}/foreignKeyPairs`,
    (world) => withJoin(world, { foreignKeyPairs: {} }),
  ],
  [
    "Update rules 2: foreignKeyPairs cannot be cleared",
    `${join}/foreignKeyPairs`,
    (world) => withJoin(world, { foreignKeyPairs: null }),
  ],
  [
    "a join connects an item that exists",
    `${join}/connectedCatalogItemUrn`,
    (world) => withJoin(world, { connectedCatalogItemUrn: unknown("catalog:catalog-item") }),
  ],
  [
    "the local side of a pair is an attribute of the monitor's item",
    `${join}/foreignKeyPairs/new_f/localAttributeUrn`,
    (world) =>
      pair(world, attributeOf(world.estate.orders, "total"), attributeOf(world.estate.orders, "total")),
  ],
  [
    "the connected side of a pair is an attribute of the joined item",
    `${join}/foreignKeyPairs/new_f/connectedAttributeUrn`,
    (world) =>
      pair(world, attributeOf(world.estate.customers, "id"), attributeOf(world.estate.customers, "id")),
  ],
  ["Update rules 2: name cannot be null", "#/name", () => ({ name: null })],
  ["Update rules 2: name is not empty", "#/name", () => ({ name: "" })],
  [
    "migration rule 4: raw UUID keys are refused",
    `#/manualRuleInstances/${uuid}`,
    (world) => ({ manualRuleInstances: { [uuid]: { ruleUrn: world.rule.urn } } }),
  ],
  [
    "migration rule 4: raw UUID keys are refused below a new_ key too",
    `${instance}/dqThresholds/${uuid}`,
    (world) => withInstance(world, { dqThresholds: { [uuid]: { value: 5 } } }),
  ],
  [
    "sub-entity identifiers 1: a urn that does not match its key is refused",
    "#/overallDqThresholds/new_o/urn",
    () => ({ overallDqThresholds: { new_o: { value: 5, urn: unknown("data-quality:dq-threshold") } } }),
  ],
  [
    "sub-entity identifiers 2: a temporary key is unique within the request, at whatever level",
    "#/exportDefinitions/new_t",
    (world) => ({ ...instanceBody(world), exportDefinitions: { new_t: { name: "x" } } }),
  ],
  [
    "sub-entity identifiers 2: null under a new_ key is nothing",
    "#/exportDefinitions/new_e",
    () => ({ exportDefinitions: { new_e: null } }),
  ],
  ["a map of sub-entities is an object", "#/exportDefinitions", () => ({ exportDefinitions: [] })],
  ["schedule.enabled is a boolean", "#/schedule/enabled", () => ({ schedule: { enabled: "yes" } })],
  ["schedule is an object", "#/schedule", () => ({ schedule: "daily" })],
  [
    "a URN of another tenant is refused anywhere",
    "#/notes/0",
    () => ({ notes: [unknown("catalog:term", "prod")] }),
  ],
];

function pair(world: MonitorWorld, localAttributeUrn: string, connectedAttributeUrn: string): JsonObject {
  return withJoin(world, { foreignKeyPairs: { new_f: { localAttributeUrn, connectedAttributeUrn } } });
}

describe("a monitor is refused with the pointer of its fault, and nothing of it is stored", () => {
  test.each(refusals)("on create: %s", async (_rule, pointer, body) => {
    const world = await monitorWorld();
    const before = JSON.stringify(world.dev.dump());
    expectRefusal(await world.api.post(path(world), { name: "M", ...body(world) }), 400, pointer);
    expect(JSON.stringify(world.dev.dump())).toBe(before);
  });

  test.each(refusals)("on update: %s", async (_rule, pointer, body) => {
    const world = await monitorWorld();
    const before = JSON.stringify(world.dev.dump());
    expectRefusal(await world.api.patch(path(world, "primary"), body(world)), 400, pointer);
    expect(JSON.stringify(world.dev.dump())).toBe(before);
  });

  test("the same bodies without the fault are taken", async () => {
    const world = await monitorWorld();
    expect((await world.api.post(path(world), { name: "M", ...instanceBody(world) })).status).toBe(201);
    expect((await world.api.patch(path(world, "primary"), instanceBody(world))).status).toBe(200);
  });
});

describe("an update of what exists is refused", () => {
  async function withStored(): Promise<{
    world: MonitorWorld;
    urn: string;
    keys: Readonly<Record<string, string>>;
  }> {
    const world = await monitorWorld();
    const { customers, orders } = world.estate;
    const { urn, keys } = seed.seedMonitor(world.dev, {
      catalogItemUrn: world.item,
      name: "M",
      manualRuleInstances: {
        i: {
          ruleUrn: world.rule.urn,
          dqThresholds: { t: { value: 5 } },
          connectedMappings: {
            c: { connectedCatalogItemAttributeUrn: attributeOf(orders, "total"), joinConfigurationKey: "j" },
          },
        },
      },
      joinConfigurations: {
        j: {
          connectedCatalogItemUrn: orders.item.urn,
          foreignKeyPairs: {
            f: {
              localAttributeUrn: attributeOf(customers, "id"),
              connectedAttributeUrn: attributeOf(orders, "customer_id"),
            },
          },
        },
      },
    });
    return { world, urn, keys };
  }

  test("Update rules 2: ruleUrn cannot be changed", async () => {
    const { world, urn, keys } = await withStored();
    const key = keys["i"] ?? "";
    const reply = await world.api.patch(path(world, urn), {
      manualRuleInstances: { [key]: { ruleUrn: world.otherRule.urn } },
    });
    expectRefusal(reply, 400, `#/manualRuleInstances/${key}/ruleUrn`);
  });

  test("Update rules 2: the last foreign-key pair of a join cannot be deleted, replacing it can", async () => {
    const { world, urn, keys } = await withStored();
    const key = keys["j"] ?? "";
    const pairKey = keys["f"] ?? "";
    const remove = { joinConfigurations: { [key]: { foreignKeyPairs: { [pairKey]: null } } } };
    expectRefusal(
      await world.api.patch(path(world, urn), remove),
      400,
      `#/joinConfigurations/${key}/foreignKeyPairs`,
    );
    const { customers, orders } = world.estate;
    const added = {
      localAttributeUrn: attributeOf(customers, "email"),
      connectedAttributeUrn: attributeOf(orders, "customer_id"),
    };
    const replace = { joinConfigurations: { [key]: { foreignKeyPairs: { [pairKey]: null, new_f: added } } } };
    expect((await world.api.patch(path(world, urn), replace)).status).toBe(200);
  });

  test("a join that a connected mapping uses cannot be deleted alone", async () => {
    const { world, urn, keys } = await withStored();
    const reply = await world.api.patch(path(world, urn), {
      joinConfigurations: { [keys["j"] ?? ""]: null },
    });
    const place = `#/manualRuleInstances/${keys["i"]}/connectedMappings/${keys["c"]}/joinConfigurationKey`;
    expectRefusal(reply, 400, place);
  });

  test("sub-entity identifiers 1: a sub-entity urn that does not match its key", async () => {
    const { world, urn, keys } = await withStored();
    const key = keys["i"] ?? "";
    const reply = await world.api.patch(path(world, urn), {
      manualRuleInstances: {
        [key]: { ruleInstanceUrn: unknown("data-quality:rule-instance"), enabled: false },
      },
    });
    expectRefusal(reply, 400, `#/manualRuleInstances/${key}/ruleInstanceUrn`);
  });

  test("sub-entity identifiers 1: a urn whose UUID is the key, but of another type", async () => {
    const { world, urn, keys } = await withStored();
    const key = keys["i"] ?? "";
    const wrong = `urn:data:dev:data-quality:dq-threshold:${key}`;
    const reply = await world.api.patch(path(world, urn), {
      manualRuleInstances: { [key]: { ruleInstanceUrn: wrong } },
    });
    expectRefusal(reply, 400, `#/manualRuleInstances/${key}/ruleInstanceUrn`);
  });
});

describe("document 2, Errors: 404 and 400 of monitor paths", () => {
  test("an unknown item, an unknown monitor and the monitor of another item give 404", async () => {
    const world = await monitorWorld();
    const other = world.estate.orders.primaryMonitor.urn;
    const noItem = `${quality}/catalog-items/${unknown("catalog:catalog-item")}/dq-monitors`;
    expectRefusal(await world.api.get(`${noItem}/primary`), 404);
    expectRefusal(await world.api.post(noItem, { name: "M" }), 404);
    expectRefusal(await world.api.get(path(world, unknown("data-quality:dq-monitor"))), 404);
    expectRefusal(await world.api.get(path(world, other)), 404);
  });

  test("a malformed URN gives 400", async () => {
    const world = await monitorWorld();
    expectRefusal(await world.api.get(path(world, "main")), 400);
    expectRefusal(await world.api.get(`${quality}/catalog-items/nonsense/dq-monitors/primary`), 400);
    expectRefusal(await world.api.get(`${quality}/dq-monitors?catalogItemUrn=nonsense`), 400);
  });

  test("the same URN in another tenant gives 404", async () => {
    const world = await monitorWorld();
    seedEstate(world.emulator.tenant("prod"));
    const urn = world.item.replace(":dev:", ":prod:");
    expectRefusal(await world.api.get(`${quality}/catalog-items/${urn}/dq-monitors/primary`), 404);
  });
});

describe("document 2, Endpoints used for migration: dashboards", () => {
  test("POST makes a draft that no list and no GET shows; publish makes it visible", async () => {
    const world = await monitorWorld();
    const dqMonitorUrns = [world.estate.customers.primaryMonitor.urn];
    const created = await world.api.post(`${quality}/dq-dashboards`, {
      name: "D",
      description: "d",
      dqMonitorUrns,
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ draftType: "NEW", name: "D", dqMonitorUrns });
    const urn = urnAt(created.body);
    expectRefusal(await world.api.get(`${quality}/dq-dashboards/${urn}`), 404);
    expect((await world.api.get(`${quality}/dq-dashboards`)).body).toMatchObject({
      data: [],
      meta: { total: 0 },
    });
    const published = await world.api.post(`${quality}/dq-dashboards/${urn}/publish`);
    expect(published.body).toMatchObject({ urn, draftType: "NONE", name: "D" });
    expect((await world.api.get(`${quality}/dq-dashboards`)).body).toMatchObject({
      data: [{ urn }],
      meta: { total: 1 },
    });
    expect((await world.api.post(`${quality}/dq-dashboards/${urn}/publish`)).status).toBe(200);
  });

  test("monitors must exist and be published", async () => {
    const world = await monitorWorld();
    const draft = urnAt((await world.api.post(path(world), { name: "M" })).body);
    for (const urn of [
      draft,
      unknown("data-quality:dq-monitor"),
      unknown("data-quality:dq-monitor", "prod"),
      "x",
    ]) {
      const reply = await world.api.post(`${quality}/dq-dashboards`, { name: "D", dqMonitorUrns: [urn] });
      expectRefusal(reply, 400, "#/dqMonitorUrns/0");
    }
  });

  test("a name is required to publish", async () => {
    const world = await monitorWorld();
    const created = await world.api.post(`${quality}/dq-dashboards`, { dqMonitorUrns: [] });
    expectRefusal(
      await world.api.post(`${quality}/dq-dashboards/${urnAt(created.body)}/publish`),
      400,
      "#/name",
    );
  });

  test("page 04: PATCH and DELETE are not known, so they are not there", async () => {
    const world = await monitorWorld();
    const { urn } = seed.seedDashboard(world.dev, { name: "D", dqMonitorUrns: [] });
    expectRefusal(await world.api.patch(`${quality}/dq-dashboards/${urn}`, { name: "E" }), 404);
    expectRefusal(await world.api.delete(`${quality}/dq-dashboards/${urn}`), 404);
  });
});
