import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/emulator/json.ts";
import { isArray } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import {
  at,
  catalog,
  type Estate,
  expectRefusal,
  quality,
  seedEstate,
  startWorld,
  textAt,
  urnAt,
  type World,
} from "./support.ts";

const uuid = "11111111-1111-4111-8111-111111111111";

async function world(): Promise<World & { readonly estate: Estate }> {
  const started = await startWorld();
  return { ...started, estate: seedEstate(started.dev) };
}

function sqlItem(estate: Estate, fields: JsonObject = {}): JsonObject {
  return {
    type: "dslQueryCatalogItem",
    name: "Active customers",
    connectionUrn: estate.connection,
    query: "SELECT id, c.email AS mail FROM customers c",
    folderUrn: estate.folder,
    ...fields,
  };
}

describe("document 1, POST /catalog-items", () => {
  test("1 and 2: published at once, its attributes come from its query, its primary monitor exists", async () => {
    const { api, estate } = await world();
    const reply = await api.post(`${catalog}/catalog-items`, sqlItem(estate));
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      connection: { urn: estate.connection },
      source: { urn: estate.source },
      folders: [{ urn: estate.folder, name: "Views" }],
      locations: [],
    });
    const urn = urnAt(reply.body);
    const attributes = await api.get(`${catalog}/attributes?catalogItemUrn=${urn}`);
    expect(attributes.body).toMatchObject({ data: [{ name: "id" }, { name: "mail" }] });
    expect((await api.get(`${quality}/catalog-items/${urn}/dq-monitors/primary`)).status).toBe(200);
    expect(
      at((await api.get(`${catalog}/catalog-items?parentUrn=${estate.folder}`)).body, "meta.total"),
    ).toBe(1);
  });

  test("2: an import that fails leaves the item without attributes, and the request succeeds", async () => {
    const { api, dev, estate } = await world();
    dev.quirks.queryAttributes = "never";
    const reply = await api.post(`${catalog}/catalog-items`, sqlItem(estate));
    expect(reply.status).toBe(201);
    expect(
      at((await api.get(`${catalog}/attributes?catalogItemUrn=${urnAt(reply.body)}`)).body, "data"),
    ).toEqual([]);
  });

  test("the query is not in the answer; it is the dslQuery entity child of the item, and PATCH changes it", async () => {
    const { api, estate } = await world();
    const created = await api.post(`${catalog}/catalog-items`, sqlItem(estate));
    const urn = urnAt(created.body);
    const child = `${catalog}/entities?entityType=dslQuery&parentUrn=${urn}&properties=query`;
    expect(JSON.stringify(created.body)).not.toContain("SELECT");
    expect((await api.get(child)).body).toMatchObject({
      data: [{ concreteType: "dslQuery", parentUrn: urn, properties: { query: sqlItem(estate)["query"] } }],
      meta: { total: 1 },
    });
    expect((await api.patch(`${catalog}/catalog-items/${urn}`, { query: "SELECT 1 FROM t" })).status).toBe(
      200,
    );
    expect(at((await api.get(child)).body, "data.0.properties.query")).toBe("SELECT 1 FROM t");
  });

  test.each<[string, string, (world: World & { estate: Estate }) => JsonObject]>([
    ["another type: only SQL items can be created", "type", () => ({ type: "tableCatalogItem" })],
    ["no name", "name", () => ({ name: "" })],
    ["no query", "query", () => ({ query: null })],
    [
      "a folder that does not exist",
      "folderUrn",
      () => ({ folderUrn: `urn:data:dev:catalog:folder:${uuid}` }),
    ],
    ["a location in place of a folder", "folderUrn", ({ estate }) => ({ folderUrn: estate.location })],
    [
      "a connection that does not exist",
      "connectionUrn",
      () => ({ connectionUrn: `urn:data:dev:processing:connection:${uuid}` }),
    ],
    [
      "a connection of another tenant",
      "connectionUrn",
      () => ({ connectionUrn: `urn:data:prod:processing:connection:${uuid}` }),
    ],
    [
      "a connection of another source than the folder's",
      "connectionUrn",
      ({ dev }) => {
        const source = seed.seedSource(dev, { name: "Other" });
        return { connectionUrn: seed.seedConnection(dev, { name: "other", sourceUrn: source.urn }).urn };
      },
    ],
    ["a field that cannot be set", "originPath", () => ({ originPath: "x" })],
  ])("refuses %s", async (_what, pointer, fields) => {
    const started = await world();
    const body = sqlItem(started.estate, fields(started));
    expectRefusal(await started.api.post(`${catalog}/catalog-items`, body), 400, `#/${pointer}`);
    expect(started.dev.counts().items).toBe(2);
  });
});

describe("document 1, PATCH and DELETE of catalog items", () => {
  test("description, aliases as a whole, extra properties", async () => {
    const { api, dev, estate } = await world();
    const { urn } = estate.customers.item;
    seed.seedMetadataProperty(dev, "catalogItem", { name: "tier", scalarType: "integer" });
    const aliases = [{ type: "VENDOR_ASSET_ID", value: "1" }];
    const reply = await api.patch(`${catalog}/catalog-items/${urn}`, {
      description: "d",
      aliases,
      extraProperties: { tier: 2 },
    });
    expect(reply.body).toMatchObject({ description: "d", aliases });
    expect(at(reply.body, "extraProperties")).toBeUndefined();
    const read = await api.get(
      `${catalog}/catalog-items/${urn}?extraProperties=tier&include=effectiveCriticality`,
    );
    expect(read.body).toMatchObject({
      extraProperties: { tier: 2 },
      effectiveCriticality: { isCritical: false },
    });
    expect(
      at((await api.patch(`${catalog}/catalog-items/${urn}`, { aliases: null })).body, "aliases"),
    ).toEqual([]);
  });

  test.each<[string, string, JsonObject]>([
    ["a query of an item that is not SQL", "query", { query: "SELECT 1" }],
    ["the name", "name", { name: "x" }],
    ["an alias without value", "aliases/0/value", { aliases: [{ type: "A" }] }],
    ["aliases that are no array", "aliases", { aliases: {} }],
    ["an extra property that does not exist", "extraProperties/colour", { extraProperties: { colour: 1 } }],
  ])("refuses %s", async (_what, pointer, body) => {
    const { api, estate } = await world();
    expectRefusal(
      await api.patch(`${catalog}/catalog-items/${estate.customers.item.urn}`, body),
      400,
      `#/${pointer}`,
    );
  });

  test("DELETE gives 204 and takes attributes, query and monitors along; then 404", async () => {
    const { api, dev, estate } = await world();
    const { urn } = estate.customers.item;
    expect((await api.delete(`${catalog}/catalog-items/${urn}`)).status).toBe(204);
    expectRefusal(await api.delete(`${catalog}/catalog-items/${urn}`), 404);
    expect(dev.counts()).toMatchObject({ items: 1, attributes: 2, monitors: 1 });
    expect(JSON.stringify(dev.dump())).not.toContain(urn);
  });
});

describe("document 1, Filter body", () => {
  async function found(filter: (estate: Estate, urn: string) => JsonObject): Promise<Json[]> {
    const { api, dev, estate } = await world();
    const term = seed.seedTerm(dev, { name: "T" });
    seed.seedItemAssignment(dev, { catalogItemUrn: estate.orders.item.urn, termUrn: term.urn });
    await api.patch(`${catalog}/catalog-items/${estate.orders.item.urn}`, {
      description: "All orders",
      aliases: [{ type: "X_ASSET_ID", value: "7" }],
    });
    const reply = await api.post(`${catalog}/catalog-items/filter?size=50`, {
      filter: filter(estate, term.urn),
    });
    expect(reply.status).toBe(200);
    const data = at(reply.body, "data");
    return isArray(data) ? data.map((item) => at(item, "name") ?? null) : [];
  }

  test.each<[string, (estate: Estate, term: string) => JsonObject, string[]]>([
    ["everything", () => ({}), ["customers", "orders"]],
    ["equals", () => ({ name: { equals: "orders" } }), ["orders"]],
    ["notEquals", () => ({ name: { notEquals: "orders" } }), ["customers"]],
    ["contains", () => ({ originPath: { contains: "SALES/cust" } }), ["customers"]],
    ["notContains", () => ({ originPath: { notContains: "cust" } }), ["orders"]],
    ["in", () => ({ name: { in: ["orders", "x"] } }), ["orders"]],
    ["notIn", () => ({ name: { notIn: ["orders", "x"] } }), ["customers"]],
    ["isNull", () => ({ description: { isNull: true } }), ["customers"]],
    ["isNotNull", () => ({ description: { isNotNull: true } }), ["orders"]],
    ["urn", (estate) => ({ urn: { in: [estate.customers.item.urn] } }), ["customers"]],
    ["source by name", () => ({ source: { name: { equals: "Warehouse" } } }), ["customers", "orders"]],
    ["source by another name", () => ({ source: { name: { equals: "Lake" } } }), []],
    [
      "connection by URN",
      (estate) => ({ connection: { urn: { equals: estate.connection } } }),
      ["customers", "orders"],
    ],
    [
      "aliases",
      () => ({ aliases: { any: { type: { equals: "X_ASSET_ID" }, value: { equals: "7" } } } }),
      ["orders"],
    ],
    ["attributes", () => ({ attributes: { any: { name: { equals: "email" } } } }), ["customers"]],
    [
      "termAssignments",
      (_estate, term) => ({ termAssignments: { any: { termUrn: { in: [term] } } } }),
      ["orders"],
    ],
    ["and", () => ({ and: [{ name: { contains: "o" } }, { name: { contains: "d" } }] }), ["orders"]],
    [
      "or",
      () => ({ or: [{ name: { equals: "orders" } }, { name: { equals: "customers" } }] }),
      ["customers", "orders"],
    ],
    [
      "several fields, which must all hold",
      () => ({ name: { contains: "o" }, description: { isNull: true } }),
      ["customers"],
    ],
  ])("%s", async (_what, filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  test.each<[string, Json, string]>([
    ["no filter", null, "#/filter"],
    ["a field that cannot be filtered by", { extraProperties: {} }, "#/filter/extraProperties"],
    ["an operator that does not exist", { name: { like: "x" } }, "#/filter/name/like"],
    ["an operand of another type", { name: { equals: 1 } }, "#/filter/name/equals"],
    ["in without an array", { name: { in: "x" } }, "#/filter/name/in"],
    ["and without an array", { and: {} }, "#/filter/and"],
    ["a fault deep inside", { or: [{ and: [{ name: {} }] }] }, "#/filter/or/0/and/0/name"],
    ["a nested field that does not exist", { source: { colour: { equals: "x" } } }, "#/filter/source/colour"],
    [
      "a URN of another tenant",
      { urn: { equals: `urn:data:prod:catalog:catalog-item:${uuid}` } },
      "#/filter/urn/equals",
    ],
  ])("refuses %s", async (_what, filter, pointer) => {
    const { api } = await world();
    expectRefusal(await api.post(`${catalog}/catalog-items/filter`, { filter }), 400, pointer);
  });

  test("pages with size and after in the query", async () => {
    const { api } = await world();
    const first = await api.post(`${catalog}/catalog-items/filter?size=1`, { filter: {} });
    expect(first.body).toMatchObject({
      data: [{ name: "customers" }],
      meta: { total: 2, next: expect.any(String) },
    });
    const after = textAt(first.body, "meta.next");
    const second = await api.post(`${catalog}/catalog-items/filter?size=1&after=${after}`, { filter: {} });
    expect(second.body).toMatchObject({ data: [{ name: "orders" }] });
  });
});

describe("document 1, Folders", () => {
  test("created, read, listed by parent, changed, deleted", async () => {
    const { api, estate } = await world();
    const created = await api.post(`${catalog}/folders`, {
      name: "Sub",
      description: "d",
      parentUrn: estate.folder,
    });
    expect(created.status).toBe(201);
    const urn = urnAt(created.body);
    expect((await api.get(`${catalog}/folders?parentUrn=${estate.folder}`)).body).toMatchObject({
      data: [{ urn, name: "Sub" }],
    });
    expect(
      (await api.patch(`${catalog}/folders/${urn}`, { name: "Renamed", description: null })).body,
    ).toEqual({
      urn,
      name: "Renamed",
      parentUrn: estate.folder,
    });
    expect((await api.delete(`${catalog}/folders/${urn}`)).status).toBe(204);
    expectRefusal(await api.get(`${catalog}/folders/${urn}`), 404);
  });

  test("Errors: a parent that does not exist gives 404", async () => {
    const { api } = await world();
    const parentUrn = `urn:data:dev:catalog:folder:${uuid}`;
    expectRefusal(await api.post(`${catalog}/folders`, { name: "F", parentUrn }), 404);
  });

  test.each<[string, string, JsonObject]>([
    ["no name", "name", { name: "" }],
    ["no parent", "parentUrn", { parentUrn: null }],
    ["a parent of another tenant", "parentUrn", { parentUrn: `urn:data:prod:catalog:source:${uuid}` }],
    ["an extra property that does not exist", "extraProperties/colour", { extraProperties: { colour: 1 } }],
  ])("POST refuses %s", async (_what, pointer, fields) => {
    const { api, estate } = await world();
    const body = { name: "F", parentUrn: estate.source, ...fields };
    expectRefusal(await api.post(`${catalog}/folders`, body), 400, `#/${pointer}`);
  });

  test("the parent of a folder cannot be changed; name cannot be null", async () => {
    const { api, estate } = await world();
    expectRefusal(
      await api.patch(`${catalog}/folders/${estate.folder}`, { parentUrn: estate.location }),
      400,
      "#/parentUrn",
    );
    expectRefusal(await api.patch(`${catalog}/folders/${estate.folder}`, { name: null }), 400, "#/name");
  });

  test("a folder that is not empty cannot be deleted (undocumented)", async () => {
    const { api, estate } = await world();
    await api.post(`${catalog}/folders`, { name: "Sub", parentUrn: estate.folder });
    expectRefusal(await api.delete(`${catalog}/folders/${estate.folder}`), 409);
  });
});
