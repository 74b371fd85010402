import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { isArray } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Tenant } from "../../src/emulator/tenant.ts";
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

async function world(clock?: () => number): Promise<World & { readonly estate: Estate }> {
  const started = await startWorld(clock === undefined ? {} : { clock });
  return { ...started, estate: seedEstate(started.dev) };
}

async function create(api: Api, estate: Estate, query: string, fields: JsonObject = {}): Promise<string> {
  const reply = await api.post(`${catalog}/catalog-items`, {
    type: "dslQueryCatalogItem",
    name: "Query",
    connectionUrn: estate.connection,
    folderUrn: estate.folder,
    query,
    ...fields,
  });
  expect(reply.status).toBe(201);
  return urnAt(reply.body);
}

async function attributeNames(api: Api, item: string): Promise<unknown> {
  const { body } = await api.get(`${catalog}/attributes?catalogItemUrn=${item}`);
  const data = at(body, "data");
  return isArray(data) ? data.map((attribute) => at(attribute, "name")) : data;
}

const simple = "SELECT id, email FROM customers";

describe("document 1, Rules for POST /catalog-items 2: the attributes of a query", () => {
  const columns: readonly (readonly [string, string, readonly (readonly [string, string])[]])[] = [
    ["names columns of tables, which have a type there", "select total from orders", [["total", "DOUBLE"]]],
    ["renames them", "select o.total AS sum_of FROM orders o", [["sum_of", "DOUBLE"]]],
    ["takes them all", "select * from orders", [["total", "DOUBLE"], ["placed", "DATE"]]], // prettier-ignore
    [
      "takes those of one of two tables",
      "select o.*, c.email from customers c join SALES.orders as o on o.total = c.id",
      [
        ["total", "DOUBLE"],
        ["placed", "DATE"],
        ["email", "STRING"],
      ],
    ],
    [
      "computes",
      "select count(*) as n, sum(total) as revenue, upper(email) shout from orders, customers",
      [
        ["n", "LONG"],
        ["revenue", "DOUBLE"],
        ["shout", "STRING"],
      ],
    ],
    [
      "asks within",
      "-- per day\nwith days as (select placed from orders) select distinct d.placed, (select max(total) from orders) top from days d",
      [
        ["placed", "STRING"],
        ["top", "STRING"],
      ],
    ],
  ];

  test.each(columns)("that %s", async (_what, query, expected) => {
    const { api, dev, estate } = await world();
    seedTyped(dev, estate);
    dev.quirks.queryTables = "existing";
    const urn = await create(api, estate, query);
    const { body } = await api.get(`${catalog}/attributes?catalogItemUrn=${urn}`);
    const data = at(body, "data");
    const found = isArray(data) ? data.map((entry) => [at(entry, "name"), at(entry, "dataType")]) : [];
    expect(found).toEqual(expected);
  });

  /** In place of the estate's own table of that name. */
  function seedTyped(dev: Tenant, estate: Estate): void {
    const { location, connection } = estate;
    dev.items.delete(estate.orders.item.urn);
    seed.seedCatalogItem(dev, {
      name: "orders",
      parentUrn: location,
      connectionUrn: connection,
      originPath: "SALES/orders",
      attributes: [
        { name: "total", dataType: "DOUBLE" },
        { name: "placed", dataType: "DATE" },
      ],
    });
  }

  test("a query that reads what its source does not have fails, where the switch says so", async () => {
    const { api, dev, estate } = await world();
    const query = "select id from OTHER.customers";
    expect(await attributeNames(api, await create(api, estate, query))).toEqual(["id"]);
    dev.quirks.queryTables = "existing";
    expect(await attributeNames(api, await create(api, estate, query))).toEqual([]);
    const right = query.replace("OTHER", "sales");
    expect(await attributeNames(api, await create(api, estate, right))).toEqual(["id"]);
  });

  test("a seed can say what a query gives", async () => {
    const { api, dev, estate } = await world();
    dev.quirks.queryColumns = (query) =>
      query === "call anything" ? [{ name: "x", dataType: "LONG", columnType: "int8" }] : undefined;
    const urn = await create(api, estate, "call anything");
    expect((await api.get(`${catalog}/attributes?catalogItemUrn=${urn}`)).body).toMatchObject({
      data: [{ name: "x", dataType: "LONG", columnType: "int8", catalogItemUrn: urn }],
      meta: { total: 1 },
    });
  });
});

describe("when the attributes of a new SQL item appear", () => {
  test("after two looks: the third has them", async () => {
    const { api, dev, estate } = await world();
    dev.quirks.queryAttributes = { afterReads: 2 };
    const urn = await create(api, estate, simple);
    expect(Object.keys(dev.dump()["queryImports"] ?? {})).toEqual([urn]);
    expect(await attributeNames(api, urn)).toEqual([]);
    // A look at another item is none at this one.
    await attributeNames(api, estate.orders.item.urn);
    expect(await attributeNames(api, urn)).toEqual([]);
    expect(await attributeNames(api, urn)).toEqual(["id", "email"]);
    expect(dev.dump()["queryImports"]).toEqual({});
  });

  test("the list of all attributes, and that of entities, are looks too", async () => {
    const { api, dev, estate } = await world();
    dev.quirks.queryAttributes = { afterReads: 2 };
    const urn = await create(api, estate, simple);
    const total = async (path: string): Promise<unknown> =>
      at((await api.get(`${catalog}/${path}`)).body, "meta.total");
    expect(await total("attributes")).toBe(4);
    expect(await total(`entities?entityType=attribute&parentUrn=${urn}`)).toBe(0);
    expect(await total("entities?entityType=attribute")).toBe(6);
  });

  test("after some time, however often somebody looks", async () => {
    let now = 1_000_000;
    const { api, dev, estate } = await world(() => now);
    dev.quirks.queryAttributes = { afterMilliseconds: 500 };
    const urn = await create(api, estate, simple);
    expect(await attributeNames(api, urn)).toEqual([]);
    now += 499;
    expect(await attributeNames(api, urn)).toEqual([]);
    now += 1;
    expect(await attributeNames(api, urn)).toEqual(["id", "email"]);
  });

  test("never, until the query is run again", async () => {
    const { api, dev, estate } = await world();
    dev.quirks.queryAttributes = "never";
    const urn = await create(api, estate, simple);
    for (let look = 0; look < 5; look += 1) expect(await attributeNames(api, urn)).toEqual([]);
    seed.runQuery(dev, urn as Estate["folder"]);
    expect(await attributeNames(api, urn)).toEqual(["id", "email"]);
  });

  test("item by item", async () => {
    const { api, dev, estate } = await world();
    dev.quirks.queryAttributes = ({ name }) => (name === "Broken" ? "never" : "at-once");
    expect(await attributeNames(api, await create(api, estate, simple, { name: "Broken" }))).toEqual([]);
    expect(await attributeNames(api, await create(api, estate, simple))).toEqual(["id", "email"]);
  });

  test("an item that is deleted meanwhile gets none", async () => {
    const { api, dev, estate } = await world();
    dev.quirks.queryAttributes = { afterReads: 0 };
    const urn = await create(api, estate, simple);
    expect((await api.delete(`${catalog}/catalog-items/${urn}`)).status).toBe(204);
    expect(await attributeNames(api, urn)).toEqual([]);
    expect(JSON.stringify(dev.dump())).not.toContain(urn);
  });
});

describe("document 1: the query is the dslQuery child of the item", () => {
  const path = `${catalog}/entities?entityType=dslQuery&properties=query`;

  test("one list shows the queries of all items", async () => {
    const { api, estate } = await world();
    const first = await create(api, estate, "select 1 from a");
    const second = await create(api, estate, "select 2 from b");
    expect((await api.get(path)).body).toMatchObject({
      data: [
        { parentUrn: first, properties: { query: "select 1 from a" } },
        { parentUrn: second, properties: { query: "select 2 from b" } },
      ],
    });
    expect((await api.get(`${path}&parentUrn=${second}`)).body).toMatchObject({
      data: [{ parentUrn: second, concreteType: "dslQuery", rootSuperType: "dslQuery" }],
      meta: { total: 1 },
    });
  });

  test("a switch refuses that list, or leaves it empty; with a parent it works as before", async () => {
    const { api, dev, estate } = await world();
    const item = await create(api, estate, simple);
    dev.quirks.allQueries = "refused";
    expectRefusal(await api.get(path), 400);
    dev.quirks.allQueries = "empty";
    expect((await api.get(path)).body).toEqual({ data: [], meta: { total: 0 } });
    expect((await api.get(`${path}&parentUrn=${item}`)).body).toMatchObject({
      data: [{ parentUrn: item, properties: { query: simple } }],
    });
  });

  test("it cannot be written as an entity: the service manages it", async () => {
    const { api, estate } = await world();
    const item = await create(api, estate, simple);
    const query = urnAt((await api.get(path)).body, "data.0.urn");
    expectRefusal(await api.patch(`${catalog}/entities/${query}`, { properties: { query: "x" } }), 400);
    expectRefusal(await api.delete(`${catalog}/entities/${query}`), 400);
    const body = { concreteType: "dslQuery", parentUrn: item, parentProperty: "dslQuery", properties: {} };
    expectRefusal(await api.post(`${catalog}/entities`, body), 400, "#/concreteType");
  });
});

describe("an SQL item of a seed", () => {
  test("may have no primary monitor: nobody has looked after its quality yet", async () => {
    const { api, dev, estate } = await world();
    const { item } = seed.seedCatalogItem(dev, { name: "Q", parentUrn: estate.folder, query: simple });
    const address = `${catalog}/catalog-items/${item.urn}`;
    expect(at((await api.get(address)).body, "primaryDqMonitor.urn")).toBe(item.primaryMonitorUrn);
    seed.withoutPrimaryMonitor(dev, item.urn);
    expect(at((await api.get(address)).body, "primaryDqMonitor")).toBeUndefined();
    const monitor = `/api/data-quality/v1/catalog-items/${item.urn}/dq-monitors/primary`;
    expectRefusal(await api.get(monitor), 404);
  });
});
