import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/emulator/json.ts";
import { isArray } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { PropertyDefinition } from "../../src/emulator/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import {
  type Api,
  at,
  catalog,
  type Estate,
  expectRefusal,
  seedEstate,
  startWorld,
  urnAt,
  type World,
} from "./support.ts";

const batch = `${catalog}/entities/batch`;

function property(name: string, rest: Partial<PropertyDefinition> = {}): PropertyDefinition {
  const scalar = rest.type === undefined && rest.scalarType === undefined ? { scalarType: "string" } : {};
  return { name, description: "", editable: true, type: "SCALAR", ...scalar, ...rest };
}

/** A product with one contract and many ports; a contract of a kind of its own, and of a kind of that. */
async function world(): Promise<World & { readonly estate: Estate; readonly product: Urn }> {
  const started = await startWorld();
  const { dev } = started;
  seed.seedMetadataType(dev, {
    name: "product",
    properties: [
      property("name"),
      property("ready", { scalarType: "boolean" }),
      property("weight", { scalarType: "integer" }),
      property("share", { scalarType: "double" }),
      property("since", { scalarType: "date" }),
      property("seen", { scalarType: "datetime" }),
      property("tags", { scalarType: "string[]" }),
      property("replaces", { type: "SINGLE_REFERENCE", entityName: "product" }),
      property("tables", { type: "ARRAY_REFERENCE", entityName: "catalogItem" }),
      property("contract", { type: "SINGLE_EMBEDDED", entityName: "contract" }),
      property("ports", { type: "ARRAY_EMBEDDED", entityName: "port" }),
    ],
  });
  seed.seedMetadataType(dev, {
    name: "contract",
    nodePaths: ["/products/contract"],
    properties: [property("name")],
  });
  seed.seedMetadataType(dev, {
    name: "draftContract",
    superEntities: ["contract"],
    properties: [property("author")],
  });
  seed.seedMetadataType(dev, { name: "secretContract", superEntities: ["draftContract", "contract"] });
  seed.seedMetadataType(dev, {
    name: "port",
    nodePaths: ["/products/ports"],
    properties: [property("name")],
  });
  const product = seed.seedEntity(dev, { concreteType: "product", parentProperty: "products" }).urn;
  return { ...started, estate: seedEstate(dev), product };
}

function child(parentUrn: string, parentProperty: string, concreteType: string): JsonObject {
  return { concreteType, parentUrn, parentProperty, properties: { name: concreteType } };
}

async function names(api: Api, path: string): Promise<unknown> {
  const data = at((await api.get(`${catalog}/entities?${path}`)).body, "data");
  return isArray(data) ? data.map((entity) => at(entity, "concreteType")) : data;
}

describe("document 1, GET /entities: entityType", () => {
  test("matches the root super type or the concrete type, and no type between them", async () => {
    const { api, dev, product } = await world();
    const other = seed.seedEntity(dev, { concreteType: "product", parentProperty: "products" }).urn;
    for (const [place, type] of [
      [product, "draftContract"],
      [other, "secretContract"],
    ] as const) {
      expect((await api.post(`${catalog}/entities`, child(place, "contract", type))).status).toBe(201);
    }
    expect(await names(api, "entityType=contract")).toEqual(["draftContract", "secretContract"]);
    expect(await names(api, "entityType=draftContract")).toEqual(["draftContract"]);
    expect(await names(api, "entityType=secretContract")).toEqual(["secretContract"]);
    expect(await names(api, `entityType=contract&parentUrn=${other}`)).toEqual(["secretContract"]);
  });

  test("properties: of any type below, inherited ones too; those that a type lacks are left out", async () => {
    const { api, product } = await world();
    await api.post(`${catalog}/entities`, child(product, "contract", "secretContract"));
    const listed = await api.get(`${catalog}/entities?entityType=contract&properties=name,author`);
    expect(at(listed.body, "data.0")).toMatchObject({
      rootSuperType: "contract",
      properties: { name: "secretContract", author: null },
    });
    const definition = await api.get(`${catalog}/metadata-model/entities/secretContract`);
    expect(definition.body).toMatchObject({
      superEntities: ["draftContract", "contract"],
      properties: [{ name: "author" }, { name: "name" }],
    });
  });
});

describe("document 1, POST /entities: parentProperty", () => {
  test("SINGLE_EMBEDDED holds one child, ARRAY_EMBEDDED any number", async () => {
    const { api, dev, product } = await world();
    const contract = child(product, "contract", "contract");
    const first = await api.post(`${catalog}/entities`, contract);
    expectRefusal(await api.post(`${catalog}/entities`, contract), 400, "#/parentProperty");
    for (const status of [201, 201]) {
      expect((await api.post(`${catalog}/entities`, child(product, "ports", "port"))).status).toBe(status);
    }
    expect(await names(api, "entityType=contract")).toHaveLength(1);
    expect(await names(api, "entityType=port")).toHaveLength(2);
    // The place is free again.
    expect((await api.delete(`${catalog}/entities/${urnAt(first.body)}`)).status).toBe(204);
    expect((await api.post(`${catalog}/entities`, contract)).status).toBe(201);
    expect(dev.entities.get(urnAt(first.body))).toBeUndefined();
  });

  test("two children for the place of one in the same batch: the second is at fault", async () => {
    const { api, dev, product } = await world();
    const before = dev.counts();
    const contract = child(product, "contract", "contract");
    const { body } = await api.post(`${batch}/create`, { data: [contract, contract] });
    expect(body).toMatchObject({ meta: { total: 2, success: 0, fail: 2 } });
    expect(at(body, "results.1.error.errors.0.pointer")).toBe("#/data/1/parentProperty");
    expect(at(body, "results.0.error.errors")).toBeUndefined();
    expect(dev.counts()).toEqual(before);
  });

  test("a property holds the type it names and what extends it", async () => {
    const { api, product } = await world();
    expect((await api.post(`${catalog}/entities`, child(product, "contract", "draftContract"))).status).toBe(
      201,
    );
    const wrong = child(product, "ports", "draftContract");
    expectRefusal(await api.post(`${catalog}/entities`, wrong), 400, "#/parentProperty");
  });

  test("parentUrn null is the metadata root", async () => {
    const { api } = await world();
    const body = { concreteType: "product", parentUrn: null, parentProperty: "products", properties: {} };
    const reply = await api.post(`${catalog}/entities`, body);
    expect(reply.status).toBe(201);
    expect(at(reply.body, "parentUrn")).toBeUndefined();
  });
});

describe("document 1, property values of every type", () => {
  const values: readonly (readonly [string, Json, Json])[] = [
    ["name", "P", 1],
    ["ready", false, "false"],
    ["weight", 12, 1.5],
    ["share", 0.25, "0.25"],
    ["since", "2026-11-22", "22.11.2026"],
    ["seen", "2026-11-22T08:00:00Z", "2026-11-22"],
    ["tags", ["a", "b"], ["a", 1]],
  ];

  test.each(values)("%s is written, read, and cleared with null", async (name, value, wrong) => {
    const { api, product } = await world();
    const address = `${catalog}/entities/${product}`;
    const read = async (): Promise<Json | undefined> =>
      at((await api.get(`${address}?properties=${name}`)).body, `properties.${name}`);
    const patched = await api.patch(address, { properties: { [name]: value } });
    expect(patched.body).toMatchObject({ urn: product, properties: { [name]: value } });
    expect(await read()).toEqual(value);
    const refused = await api.patch(address, { properties: { [name]: wrong } });
    expectRefusal(refused, 400, `#/properties/${name}`);
    await api.patch(address, { properties: { [name]: null } });
    expect(await read()).toBeNull();
  });

  test("an array of scalars is cleared with [] as well", async () => {
    const { api, product } = await world();
    const address = `${catalog}/entities/${product}`;
    await api.patch(address, { properties: { tags: ["a"] } });
    await api.patch(address, { properties: { tags: [] } });
    expect(at((await api.get(`${address}?properties=tags`)).body, "properties.tags")).toBeNull();
  });

  test("references are of the type that the model names, and of this tenant; [] clears an array", async () => {
    const { api, estate, product } = await world();
    const address = `${catalog}/entities/${product}`;
    const item = estate.customers.item.urn;
    await api.patch(address, { properties: { replaces: product, tables: [item] } });
    expect((await api.get(`${address}?properties=replaces,tables`)).body).toMatchObject({
      properties: { replaces: product, tables: [item] },
    });
    for (const [properties, pointer] of [
      [{ replaces: item }, "replaces"],
      [{ tables: [item, product] }, "tables/1"],
      [{ tables: item }, "tables"],
      [{ tables: null }, "tables"],
      [{ replaces: product.replace(":dev:", ":prod:") }, "replaces"],
      [{ replaces: product.slice(0, -4).concat("0000") }, "replaces"],
    ] as const) {
      const body = { properties: properties as JsonObject };
      expectRefusal(await api.patch(address, body), 400, `#/properties/${pointer}`);
    }
    await api.patch(address, { properties: { replaces: null, tables: [] } });
    expect((await api.get(`${address}?properties=replaces,tables`)).body).toMatchObject({
      properties: { replaces: null, tables: [] },
    });
  });
});

describe("document 1, Batch rules: the pointer of the bad item", () => {
  test("a read-only type, and a field that does not belong there", async () => {
    const { api } = await world();
    const good = { concreteType: "product", parentProperty: "products", properties: {} };
    const { body } = await api.post(`${batch}/create`, {
      data: [good, { ...good, concreteType: "source", parentProperty: "sources" }, { ...good, urn: "x" }],
    });
    expect(body).toMatchObject({ meta: { success: 0, fail: 3 } });
    expect(at(body, "results.1.error.errors.0.pointer")).toBe("#/data/1/concreteType");
    expect(at(body, "results.2.error.errors.0.pointer")).toBe("#/data/2/urn");
    expect(at(body, "results.0.error.errors")).toBeUndefined();
  });

  test("patch and delete of a read-only type", async () => {
    const { api, estate, product } = await world();
    const patched = await api.post(`${batch}/patch`, {
      data: [
        { urn: product, properties: { name: "N" } },
        { urn: estate.source, properties: { name: "N" } },
      ],
    });
    expect(patched.body).toMatchObject({ meta: { success: 0, fail: 2 } });
    expect(at(patched.body, "results.1.error.errors.0.pointer")).toBe("#/data/1/urn");
    const deleted = await api.post(`${batch}/delete`, { data: [{ urn: estate.source }, { urn: product }] });
    expect(deleted.body).toMatchObject({ meta: { success: 1, fail: 1 }, results: [{}, { status: "OK" }] });
    expect(at(deleted.body, "results.0.error.errors.0.pointer")).toBe("#/data/0/urn");
  });

  test("a child that goes with its parent is not found any more", async () => {
    const { api, product } = await world();
    const created = await api.post(`${catalog}/entities`, child(product, "ports", "port"));
    const { body } = await api.post(`${batch}/delete`, {
      data: [{ urn: product }, { urn: urnAt(created.body) }],
    });
    expect(body).toMatchObject({ results: [{ status: "OK" }, { status: "RESOURCE_NOT_FOUND" }] });
  });

  test("PATCH takes properties and nothing else", async () => {
    const { api, product } = await world();
    const body = { properties: {}, parentUrn: null };
    expectRefusal(await api.patch(`${catalog}/entities/${product}`, body), 400, "#/parentUrn");
  });
});

describe("what has no value", () => {
  test("is null or [] where it is asked for, or is left out: a switch", async () => {
    const { api, dev, estate, product } = await world();
    await api.patch(`${catalog}/entities/${product}`, { properties: { name: "P", ready: false } });
    const asked = "properties=name,ready,weight,tables&include=effectiveStewardship";
    const read = async (): Promise<Json> => (await api.get(`${catalog}/entities/${product}?${asked}`)).body;
    expect(await read()).toMatchObject({
      properties: { name: "P", ready: false, weight: null, tables: [] },
      effectiveStewardship: null,
    });
    dev.quirks.unset = "absent";
    const left = await read();
    expect(at(left, "properties")).toEqual({ name: "P", ready: false });
    expect(at(left, "effectiveStewardship")).toBeUndefined();
    seed.seedStewardship(dev, { entityUrn: product, groupUrn: estate.group });
    expect(at(await read(), "effectiveStewardship.originUrn")).toBe(product);
    seed.seedMetadataProperty(dev, "attribute", { name: "owner" });
    const list = await api.get(`${catalog}/attributes?extraProperties=owner`);
    expect(at(list.body, "data.0.extraProperties")).toEqual({});
  });
});

describe("a model that is another than the other tenant's", () => {
  test("a property that is lacking can neither be asked for nor written", async () => {
    const { api, dev, product } = await world();
    await api.patch(`${catalog}/entities/${product}`, { properties: { weight: 1 } });
    seed.removeMetadataProperty(dev, "product", "weight");
    expectRefusal(await api.get(`${catalog}/entities?entityType=product&properties=weight`), 400);
    const body = { properties: { weight: 2 } };
    expectRefusal(await api.patch(`${catalog}/entities/${product}`, body), 400, "#/properties/weight");
  });

  test("a property of another scalar type, of another reference, read-only", async () => {
    const { api, dev, product } = await world();
    seed.changeMetadataProperty(dev, "product", "weight", { scalarType: "string" });
    seed.changeMetadataProperty(dev, "product", "replaces", { entityName: "port" });
    seed.changeMetadataProperty(dev, "product", "name", { editable: false });
    const address = `${catalog}/entities/${product}`;
    for (const [name, value] of [
      ["weight", 1],
      ["replaces", product],
      ["name", "N"],
    ] as const) {
      const body = { properties: { [name]: value } };
      expectRefusal(await api.patch(address, body), 400, `#/properties/${name}`);
    }
    expect((await api.patch(address, { properties: { weight: "1 kg" } })).status).toBe(200);
    expect(() => seed.changeMetadataProperty(dev, "product", "colour", {})).toThrow("no property colour");
  });

  test("a type that is read-only, or lacking", async () => {
    const { api, dev, product } = await world();
    const body = { concreteType: "product", parentProperty: "products", properties: {} };
    seed.changeMetadataType(dev, "product", { editable: false });
    expectRefusal(await api.post(`${catalog}/entities`, body), 400, "#/concreteType");
    expect((await api.get(`${catalog}/entities/${product}`)).status).toBe(200);
    seed.removeMetadataType(dev, "product");
    expectRefusal(await api.post(`${catalog}/entities`, body), 400, "#/concreteType");
    expectRefusal(await api.get(`${catalog}/entities?entityType=product`), 400);
    expectRefusal(await api.get(`${catalog}/entities/${product}`), 404);
    expectRefusal(await api.patch(`${catalog}/entities/${product}`, { properties: {} }), 404);
    expectRefusal(await api.get(`${catalog}/metadata-model/entities/product`), 404);
  });

  test("whether a type shows what it inherits is a switch", async () => {
    const { api, dev } = await world();
    dev.quirks.modelProperties = "own";
    const { body } = await api.get(`${catalog}/metadata-model/entities/secretContract`);
    expect(body).toMatchObject({ superEntities: ["draftContract", "contract"], properties: [] });
  });
});
