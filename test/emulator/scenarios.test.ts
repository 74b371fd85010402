import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../src/emulator/index.ts";
import { type JsonObject, list } from "../../src/emulator/json.ts";
import { entriesOf } from "../../src/emulator/quality/sub-entities.ts";
import { prepareLarge } from "../../src/emulator/scenarios/large.ts";
import { scenario, scenarioNames } from "../../src/emulator/scenarios/index.ts";
import { seedMonitor, seedRule } from "../../src/emulator/seed.ts";
import { Tenant } from "../../src/emulator/tenant.ts";

function tenant(name: string): Tenant {
  return new Tenant({ name, seed: 3, clock: () => 0 });
}

describe("the names of scenarios", () => {
  it.each(["demo", "empty", "large:1", "large:2000", "large:1000000"])("%s is one", (name) => {
    const found = scenario(name);
    expect(found).toMatchObject({ name, tenants: ["dev", "prod"] });
    expect(found?.summary).not.toBe("");
  });

  it.each([
    "",
    "Demo",
    "large",
    "large:",
    "large:0",
    "large:-1",
    "large:1.5",
    "large:1e3",
    "large:1000001",
    "large:9999999",
  ])("%j is none", (name) => expect(scenario(name)).toBeUndefined());

  it("are told for help texts", () => {
    expect(scenarioNames).toEqual(["demo", "empty", "large:N", "records:N"]);
  });
});

describe("a served scenario", () => {
  let emulator: Emulator;

  beforeAll(async () => {
    emulator = await startEmulator({ clock: () => 0 });
  });
  afterAll(() => emulator.close());

  async function read(name: string, path: string): Promise<JsonObject> {
    const base = emulator.baseUrl(name);
    const answer = await fetch(`${base}/auth/realms/${name}/protocol/openid-connect/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: `${name}-client`,
        client_secret: `${name}-secret`,
      }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const response = await fetch(`${base}/api/${path}`, { headers: { Authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    return (await response.json()) as JsonObject;
  }

  it("is seen through the interface, in both tenants", async () => {
    scenario("demo")?.prepare(emulator);
    const rules = await read("dev", "data-quality/v1/rules?size=100");
    expect(list(rules, "data")).toHaveLength(52);
    expect(list(await read("prod", "data-quality/v1/rules?size=100"), "data")).toEqual([]);
    const names = "owner,synonyms,reviewCycleDays,confidence,regulated,partOf,relatedTerms,usageCount,unit";
    const terms = await read("dev", `catalog/v1/terms?size=100&extraProperties=${names}`);
    expect(list(terms, "data")).toHaveLength(60);
    const monitors = await read("prod", "data-quality/v1/dq-monitors?size=100");
    expect(list(monitors, "data")).toHaveLength(40);
  });
});

describe("empty", () => {
  it("has what is given and nothing else", async () => {
    const emulator = await startEmulator();
    scenario("empty")?.prepare(emulator);
    await emulator.close();
    for (const name of ["dev", "prod"]) {
      expect(emulator.tenant(name).counts()).toMatchObject({
        items: 40,
        terms: 0,
        rules: 0,
        monitors: 40,
        dashboards: 0,
        termAssignments: 0,
        drafts: 0,
      });
    }
  });
});

describe("large:N", () => {
  it.each([
    { size: 1, items: 20, terms: 0, dashboards: 0 },
    { size: 25, items: 20, terms: 12, dashboards: 2 },
    { size: 2000, items: 40, terms: 1000, dashboards: 200 },
    { size: 3000, items: 60, terms: 1500, dashboards: 200 },
  ])("has $size rules and monitors", ({ size, items, terms, dashboards }) => {
    const [source, target] = [tenant("dev"), tenant("prod")];
    prepareLarge(source, target, size);
    const attributes = items * 10;
    expect(source.counts()).toMatchObject({
      rules: size,
      monitors: size + items,
      terms,
      dashboards,
      items,
      attributes,
    });
    expect(target.counts()).toMatchObject({
      rules: 0,
      monitors: items,
      terms: 0,
      dashboards: 0,
      items,
      attributes,
    });
  });

  it("spreads the monitors over all items and columns", () => {
    const source = tenant("dev");
    prepareLarge(source, tenant("prod"), 1000);
    const used = new Set<unknown>();
    for (const { published } of source.monitors.values()) {
      for (const [, instance] of entriesOf(published, "manualRuleInstances")) {
        for (const [, mapping] of entriesOf(instance, "mappings"))
          used.add(mapping["catalogItemAttributeUrn"]);
      }
    }
    expect(used.size).toBe(200);
  });

  it("has a share of what people write about columns, in the source", () => {
    const [source, target] = [tenant("dev"), tenant("prod")];
    prepareLarge(source, target, 25);
    const said = (from: Tenant): readonly number[] => {
      const all = [...from.attributes.values()];
      const extra = all.filter(({ extraProperties }) => extraProperties["businessName"] !== undefined);
      return [all.length, all.filter(({ description }) => description !== undefined).length, extra.length];
    };
    expect(said(source)).toEqual([200, 100, 20]);
    expect(said(target)).toEqual([200, 0, 0]);
    for (const { extraProperties } of source.attributes.values())
      for (const name of Object.keys(extraProperties))
        expect(source.model.property("attribute", name)?.editable, name).toBe(true);
  });

  it("stores rules and monitors in the shape that the interface gives them", () => {
    const source = tenant("dev");
    prepareLarge(source, tenant("prod"), 1);
    const [rule] = source.rules.valuesIn("");
    const monitor = source.monitors.valuesIn("").find(({ published }) => published?.["name"] === "Monitor 1");
    if (rule?.published === undefined || monitor?.published === undefined)
      throw new Error("nothing was built");
    const validity = [...source.dimensions.values()].find(({ name }) => name === "Validity");
    const seeded = seedRule(source, {
      name: "Rule 1",
      inputGroups: { main: { joined: false, inputs: { value: { name: "value", dataType: "STRING" } } } },
      implementation: {
        dqDimensionUrn: validity?.urn ?? "",
        conditions: {
          long: {
            stringExpression: "length(value) > 1",
            resultUrn: validity?.results.find(({ name }) => name === "Invalid")?.urn ?? "",
            explanation: "Too long",
          },
        },
      },
    });
    expect(skeleton(rule.published)).toEqual(skeleton(seeded.value));
    const { catalogItemUrn } = monitor.published;
    const [column] = source.attributes.valuesIn(`item:${catalogItemUrn}`);
    const again = seedMonitor(source, {
      catalogItemUrn,
      name: "Monitor 1",
      manualRuleInstances: {
        one: {
          ruleUrn: seeded.urn,
          enabled: true,
          mappings: {
            one: { catalogItemAttributeUrn: column?.urn ?? "", ruleAttributeUrn: seeded.urns["value"] ?? "" },
          },
        },
      },
      overallDqThresholds: { one: { value: 90, severity: "WARNING" } },
    });
    expect(skeleton(monitor.published)).toEqual(skeleton(again.value));
  });
});

/** The value with every UUID the same. */
function skeleton(value: JsonObject): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "#"));
}
