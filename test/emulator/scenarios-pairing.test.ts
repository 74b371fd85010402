import { describe, expect, it } from "vitest";
import { asText } from "../../src/emulator/json.ts";
import { prepareDemo } from "../../src/emulator/scenarios/demo/index.ts";
import { demoPairing } from "../../src/emulator/scenarios/index.ts";
import type { CatalogItem } from "../../src/emulator/state.ts";
import { Tenant } from "../../src/emulator/tenant.ts";
import { uuidOf } from "../../src/model/urn.ts";

const source = new Tenant({ name: "dev", seed: 7, clock: () => 0 });
const target = new Tenant({ name: "prod", seed: 7, clock: () => 0 });
prepareDemo(source, target);

function named(tenant: Tenant, type: string): string[] {
  return tenant.entities.valuesIn(`type:${type}`).map((entity) => asText(entity.properties["name"]));
}

function renamed(path: string): string {
  return demoPairing.paths.reduce(
    (name, { pattern, replace }) => name.replace(new RegExp(pattern), replace),
    path,
  );
}

/** What was imported; SQL items have no path. */
function itemsByPath(tenant: Tenant): Map<string, CatalogItem> {
  const imported = [...tenant.items.values()].filter((item) => item.originPath !== undefined);
  expect(imported).toHaveLength(40);
  return new Map(imported.map((item) => [item.originPath ?? "", item]));
}

function nameOf(tenant: Tenant, urn: string | undefined): string {
  return asText(tenant.entities.get(urn ?? "")?.properties["name"]);
}

describe("the pairing that fits the demo", () => {
  it("is what a plan can say", () => {
    expect(demoPairing).toEqual({
      sources: {
        "Snowflake DEV": "Snowflake PROD",
        "Shop Postgres DEV": "Shop Postgres PROD",
        "Landing zone DEV": "Landing zone PROD",
      },
      connections: {
        "dev-wh": "prod-wh",
        "dev-wh-readonly": "prod-wh-readonly",
        "dev-shop-db": "prod-shop-db",
        "dev-landing": "prod-landing",
      },
      paths: [{ pattern: "^DEV_", replace: "PROD_" }],
      groups: {
        "6f0c1a52-0d7b-4f4e-9a34-5d1b7c1e0a01": "b3e9d7f4-52c8-4e10-8f6d-21a4c90e7a01",
        "6f0c1a52-0d7b-4f4e-9a34-5d1b7c1e0a02": "b3e9d7f4-52c8-4e10-8f6d-21a4c90e7a02",
        "6f0c1a52-0d7b-4f4e-9a34-5d1b7c1e0a03": "b3e9d7f4-52c8-4e10-8f6d-21a4c90e7a03",
      },
    });
  });

  it.each([
    ["source", "sources"],
    ["connection", "connections"],
  ] as const)("pairs every %s", (type, section) => {
    expect(Object.keys(demoPairing[section]).sort()).toEqual(named(source, type).sort());
    expect(Object.values(demoPairing[section]).sort()).toEqual(named(target, type).sort());
  });

  it("pairs every group by its UUID", () => {
    const uuids = (tenant: Tenant): string[] =>
      tenant.entities
        .valuesIn("type:group")
        .map(({ urn }) => uuidOf(urn))
        .sort();
    expect(Object.keys(demoPairing.groups).sort()).toEqual(uuids(source));
    expect(Object.values(demoPairing.groups).sort()).toEqual(uuids(target));
  });

  it("pairs every item by its path, in the paired source and connection", () => {
    const twins = itemsByPath(target);
    for (const [path, item] of itemsByPath(source)) {
      const twin = twins.get(renamed(path));
      expect(twin?.name, path).toBe(item.name);
      expect(nameOf(target, twin?.sourceUrn)).toBe(demoPairing.sources[nameOf(source, item.sourceUrn)]);
      expect(nameOf(target, twin?.connectionUrn)).toBe(
        demoPairing.connections[nameOf(source, item.connectionUrn)],
      );
    }
  });

  it("renames locations too", () => {
    expect(new Set(named(target, "location"))).toEqual(new Set(named(source, "location").map(renamed)));
    expect(named(source, "location")).toContain("DEV_SALES");
    expect(named(target, "location")).toContain("PROD_SALES");
  });
});

describe("the target of the demo", () => {
  const names = (list: Iterable<{ readonly name: string }>): string[] => [...list].map(({ name }) => name);

  it("has the same items and attributes in another order", () => {
    expect(names(target.items.values())).not.toEqual(names(source.items.values()));
    const twins = itemsByPath(target);
    for (const [path, item] of itemsByPath(source)) {
      const columns = (tenant: Tenant, urn: string): string[] =>
        tenant.attributes
          .valuesIn(`item:${urn}`)
          .map(({ name, dataType, columnType }) => `${name} ${dataType} ${columnType}`);
      const here = columns(source, item.urn);
      const there = columns(target, twins.get(renamed(path))?.urn ?? "");
      expect(there).not.toEqual(here);
      expect(there.toSorted()).toEqual(here.toSorted());
    }
  });

  it("has the same dimensions, results in another order", () => {
    const results = (tenant: Tenant): Map<string, string[]> =>
      new Map(
        [...tenant.dimensions.values()].map((dimension) => [
          dimension.name,
          dimension.results.map((result) => `${result.name} ${result.passedOverallResult}`),
        ]),
      );
    const there = results(target);
    expect([...there.keys()]).not.toEqual([...results(source).keys()]);
    for (const [name, here] of results(source)) {
      expect(there.get(name)).not.toEqual(here);
      expect(there.get(name)?.toSorted()).toEqual(here.toSorted());
    }
  });

  it("has the same transformations, detection rules, flows and metadata model", () => {
    const transformations = (tenant: Tenant): string[] =>
      [...tenant.transformations.values()]
        .map(({ name, inputDataType }) => `${name} ${inputDataType}`)
        .sort();
    expect(transformations(target)).toEqual(transformations(source));
    expect(new Set(transformations(source)).size).toBeGreaterThan(
      new Set(names(source.transformations.values())).size,
    );
    expect(named(target, "detectionRule").sort()).toEqual(named(source, "detectionRule").sort());
    expect(names(target.flowConfigurations.values()).sort()).toEqual(
      names(source.flowConfigurations.values()).sort(),
    );
    expect(target.model.all()).toEqual(source.model.all());
  });
});
