import { describe, expect, it, test } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { asText, type Json, type JsonObject } from "../../src/emulator/json.ts";
import { isArray } from "../../src/emulator/json.ts";
import { prepareDemo } from "../../src/emulator/scenarios/demo/index.ts";
import { demoQueries, scenario } from "../../src/emulator/scenarios/index.ts";
import type { CatalogItem, Entity } from "../../src/emulator/state.ts";
import { Tenant } from "../../src/emulator/tenant.ts";
import type { Urn } from "../../src/model/urn.ts";
import { at, catalog, signIn } from "./support.ts";

const source = new Tenant({ name: "dev", seed: 7, clock: () => 0 });
const target = new Tenant({ name: "prod", seed: 7, clock: () => 0 });
prepareDemo(source, target);

const products = ["dataProduct", "dataContract", "outputPort", "qualityIssue", "issueComment"];

function sqlItems(tenant: Tenant): readonly CatalogItem[] {
  return tenant.items.valuesIn("type:dslQueryCatalogItem");
}

function queryOf(tenant: Tenant, item: Urn): string {
  const [query] = tenant.entities.valuesIn(`type:dslQuery parent:${item}`);
  return asText(query?.properties["query"]);
}

function ofTypes(tenant: Tenant, types: readonly string[]): readonly Entity[] {
  return types.flatMap((type) => tenant.entities.valuesIn(`type:${type}`));
}

function shapeOf(value: Json): string {
  if (isArray(value)) return `${shapeOf(value[0] ?? null)}[]`;
  return typeof value === "string" && value.startsWith("urn:") ? "reference" : typeof value;
}

describe("folders of the demo", () => {
  const names = (tenant: Tenant): unknown =>
    [...tenant.folders.values()].map(({ name, parentUrn }) => [
      name,
      tenant.folders.get(parentUrn)?.name ?? tenant.entities.get(parentUrn)?.properties["name"],
    ]);

  it("are three levels deep, with and without descriptions and extra properties", () => {
    expect(names(source)).toEqual([
      ["Analytics", "Snowflake DEV"],
      ["Customer", "Analytics"],
      ["Campaigns", "Customer"],
      ["Operations", "Shop Postgres DEV"],
      ["Täglich", "Operations"],
    ]);
    const folders = [...source.folders.values()];
    expect(folders.filter(({ description }) => description !== undefined)).toHaveLength(3);
    const extra = folders.map(({ extraProperties }) => Object.keys(extraProperties).length);
    expect(extra).toEqual([1, 0, 2, 1, 0]);
  });

  it("have one twin in the target, which has one of its own", () => {
    expect(names(target)).toEqual([
      ["Analytics", "Snowflake PROD"],
      ["Finance reports", "Snowflake PROD"],
    ]);
    const content = (tenant: Tenant): unknown =>
      [...tenant.folders.values()]
        .filter(({ name }) => name === "Analytics")
        .map(({ description, extraProperties }) => ({ description, extraProperties }));
    expect(content(target)).toEqual(content(source));
  });
});

describe("SQL items of the demo", () => {
  it("are two, of two sources; the target has none", () => {
    expect(sqlItems(source).map(({ name }) => name)).toEqual(["Active customers", "Deliveries per day"]);
    expect(new Set(sqlItems(source).map(({ sourceUrn }) => sourceUrn)).size).toBe(2);
    expect(sqlItems(target)).toEqual([]);
    expect(target.entities.bucket("type:dslQuery")).toEqual([]);
  });

  it("have the attributes of their queries, with the types of the tables", () => {
    const columns = sqlItems(source).map(({ urn }) =>
      source.attributes.valuesIn(`item:${urn}`).map(({ name, dataType }) => `${name} ${dataType}`),
    );
    expect(columns).toEqual([
      [
        "CUSTOMER_ID LONG",
        "EMAIL STRING",
        "SEGMENT STRING",
        "LANGUAGE STRING",
        "YEARLY_SPEND DOUBLE",
        "LOYALTY_TIER STRING",
      ],
      [
        "route_date DATE",
        "depot_name STRING",
        "deliveries LONG",
        "drivers LONG",
        "average_temperature DOUBLE",
      ],
    ]);
  });

  it("add nothing to what the first six kinds have to say: no primary monitor, no assigned term", () => {
    for (const item of sqlItems(source)) {
      expect(item.primaryMonitorUrn).toBeUndefined();
      expect(source.monitors.bucket(`any:${item.urn}`)).toEqual([]);
      for (const attribute of source.attributes.valuesIn(`item:${item.urn}`))
        expect(attribute.termAssignments).toEqual([]);
    }
  });

  test("made in the target: one as it is, one only with the database of the target", async () => {
    const emulator = await startEmulator();
    try {
      scenario("demo")?.prepare(emulator);
      expect(await made(emulator, (query) => query)).toEqual({
        "Active customers": 0,
        "Deliveries per day": 5,
      });
      const renamed = (query: string): string =>
        demoQueries.reduce(
          (text, { pattern, replace }) => text.replaceAll(new RegExp(pattern, "g"), replace),
          query,
        );
      expect(await made(emulator, renamed)).toEqual({ "Active customers": 6, "Deliveries per day": 5 });
    } finally {
      await emulator.close();
    }
  });

  /** How many attributes each query has at the target. */
  async function made(
    emulator: Emulator,
    change: (query: string) => string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const [dev, prod] = [emulator.tenant("dev"), emulator.tenant("prod")];
    const api = await signIn(emulator, "prod");
    const named = (type: string, name: string): Urn | undefined =>
      prod.entities.valuesIn(`type:${type}`).find(({ properties }) => properties["name"] === name)?.urn;
    const counts: Record<string, unknown> = {};
    for (const { urn, name } of sqlItems(dev)) {
      const isShop = name.startsWith("Deliveries");
      const parentUrn = named("source", isShop ? "Shop Postgres PROD" : "Snowflake PROD") ?? "";
      const folder = await api.post(`${catalog}/folders`, { name: `For ${name}`, parentUrn });
      const created = await api.post(`${catalog}/catalog-items`, {
        type: "dslQueryCatalogItem",
        name,
        folderUrn: at(folder.body, "urn") ?? null,
        connectionUrn: named("connection", isShop ? "prod-shop-db" : "prod-wh") ?? null,
        query: change(queryOf(dev, urn)),
      });
      expect(created.status).toBe(201);
      const item = asText(at(created.body, "urn"));
      const read = await api.get(`${catalog}/attributes?catalogItemUrn=${item}`);
      counts[name] = at(read.body, "meta.total");
    }
    return counts;
  }
});

describe("data products and quality issues of the demo", () => {
  const entities = ofTypes(source, products);

  it("are of every type, sub-types included, with parents and at the root", () => {
    const counts = Object.groupBy(entities, ({ concreteType }) => concreteType);
    expect(Object.entries(counts).map(([type, members]) => [type, members?.length])).toEqual([
      ["dataProduct", 3],
      ["dataContract", 2],
      ["outputPort", 3],
      ["qualityIssue", 2],
      ["incident", 1],
      ["issueComment", 3],
    ]);
    expect(source.model.lineage("incident")).toEqual(["incident", "qualityIssue"]);
    const issues = ofTypes(source, ["qualityIssue"]);
    expect(issues.map(({ parentUrn }) => parentUrn === undefined)).toEqual([true, false, false]);
  });

  it("have values of every type, and one that the service computes", () => {
    const shapes = new Set(entities.flatMap(({ properties }) => Object.values(properties).map(shapeOf)));
    expect([...shapes].sort()).toEqual([
      "boolean",
      "number",
      "reference",
      "reference[]",
      "string",
      "string[]",
    ]);
    const computed = entities.filter(({ properties }) => "consumerCount" in properties);
    expect(computed).toHaveLength(1);
    expect(source.model.property("dataProduct", "consumerCount")?.editable).toBe(false);
  });

  it("refer to each other in a circle, to SQL items and to attributes of these", () => {
    const named = (name: string): Entity | undefined =>
      entities.find(({ properties }) => properties["name"] === name);
    const [left, right] = [named("Customer 360"), named("Order to cash")];
    expect(left?.properties["upstream"]).toEqual([right?.urn]);
    expect(right?.properties["upstream"]).toEqual([left?.urn]);
    const text = JSON.stringify(entities);
    for (const { urn } of sqlItems(source)) expect(text).toContain(urn);
    const [first] = sqlItems(source);
    const attributes = source.attributes.valuesIn(`item:${first?.urn ?? ""}`);
    expect(attributes.filter(({ urn }) => text.includes(urn)).map(({ name }) => name)).toEqual([
      "EMAIL",
      "SEGMENT",
    ]);
  });

  it("have a type without a name, and one name below two parents", () => {
    expect(source.model.property("issueComment", "name")).toBeUndefined();
    const tables = ofTypes(source, ["outputPort"]).filter(({ properties }) => properties["name"] === "Table");
    expect(new Set(tables.map(({ parentUrn }) => parentUrn)).size).toBe(2);
  });

  it("have one in the target that only the target has", () => {
    expect(ofTypes(target, products).map(({ properties }) => properties["name"])).toEqual([
      "Month-end close",
    ]);
  });
});

describe("what people wrote over imported things in the demo", () => {
  const attributesOf = (tenant: Tenant): readonly { readonly description?: string }[] => [
    ...tenant.attributes.values(),
  ];

  it("are plain and rich descriptions, and extra properties of every type", () => {
    const described = attributesOf(source).flatMap(({ description }) => description ?? []);
    expect(described.filter((text) => text.startsWith("["))).toHaveLength(4);
    expect(described.filter((text) => !text.startsWith("["))).toHaveLength(6);
    const values = (list: Iterable<{ readonly extraProperties: JsonObject }>): string[] => [
      ...new Set([...list].flatMap((entry) => Object.values(entry.extraProperties).map(shapeOf))),
    ];
    expect(values(source.items.values()).sort()).toEqual([
      "boolean",
      "number",
      "reference",
      "reference[]",
      "string",
      "string[]",
    ]);
    expect(values(source.attributes.values()).sort()).toEqual(["boolean", "number", "reference[]", "string"]);
  });

  it("mention terms of the tenant", () => {
    const texts = [...source.items.values(), ...source.attributes.values(), ...ofTypes(source, products)].map(
      (thing) =>
        "properties" in thing ? asText(thing.properties["description"]) : (thing.description ?? ""),
    );
    const gids = texts.flatMap((text) => [...text.matchAll(/"gid":"([^"]*)"/g)].map((hit) => hit[1]));
    const terms = new Set([...source.terms.values()].map(({ urn }) => urn.slice(-36)));
    expect(gids.length).toBeGreaterThan(8);
    for (const gid of gids) expect(terms).toContain(gid);
  });

  it("are in the target where the source says nothing", () => {
    const item = [...target.items.values()].find(({ name }) => name === "weather.csv");
    const twin = [...source.items.values()].find(({ name }) => name === "weather.csv");
    expect([item?.description === undefined, twin?.description === undefined]).toEqual([false, true]);
    expect(attributesOf(target).flatMap(({ description }) => description ?? [])).toEqual([
      "Driven, not planned.",
    ]);
  });
});

describe("stewards of the demo", () => {
  it("look after terms, items, entities, and a location from which items have theirs", () => {
    const types = [...source.stewards.keys()].map((urn) => source.model.rootOf(source.typeOf(urn) ?? ""));
    const counts = Object.groupBy(types, (type) => type);
    expect(Object.fromEntries(Object.entries(counts).map(([type, all]) => [type, all?.length]))).toEqual({
      catalogItem: 5,
      term: 3,
      dataProduct: 1,
      qualityIssue: 1,
      location: 1,
    });
    const groups = new Set([...source.stewards.values()].map((urn) => source.entities.get(urn)?.properties["name"])); // prettier-ignore
    expect(groups).toEqual(new Set(["Customer domain", "Data stewards", "Supply domain"]));
  });

  it("of the location are the same in the target; an item has one that only the target knows", () => {
    const names = [...target.stewards].map(([urn, group]) => [
      target.items.get(urn)?.name ?? target.entities.get(urn)?.properties["name"],
      target.entities.get(group)?.properties["name"],
    ]);
    expect(names).toContainEqual(["PROD_FINANCE", "Data stewards"]);
    expect(names).toContainEqual(["driver", "Supply domain"]);
  });
});
