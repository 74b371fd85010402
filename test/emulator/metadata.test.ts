import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Tenant } from "../../src/emulator/tenant.ts";
import type { Urn } from "../../src/model/urn.ts";
import {
  at,
  attributeOf,
  catalog,
  type Estate,
  expectRefusal,
  seedEstate,
  startWorld,
  type World,
} from "./support.ts";

/** What a person or a tool writes over things that were imported: description, aliases, extra properties. */
const places = [
  ["catalog-items", "catalogItem", (estate: Estate): Urn => estate.customers.item.urn],
  ["attributes", "attribute", (estate: Estate): Urn => attributeOf(estate.customers, "email")],
  ["folders", "folder", (estate: Estate): Urn => estate.folder],
  ["terms", "term", (_estate: Estate, term: Urn): Urn => term],
] as const;

const values: Readonly<Record<string, readonly [scalarType: string, value: Json]>> = {
  text: ["string", "x"],
  flag: ["boolean", false],
  whole: ["integer", 0],
  part: ["double", 1.5],
  day: ["date", "2026-11-22"],
  words: ["string[]", ["a"]],
};

function extendModel(dev: Tenant, type: string): void {
  for (const [name, [scalarType]] of Object.entries(values))
    seed.seedMetadataProperty(dev, type, { name, scalarType });
  seed.seedMetadataProperty(dev, type, { name: "one", type: "SINGLE_REFERENCE", entityName: "term" });
  seed.seedMetadataProperty(dev, type, { name: "many", type: "ARRAY_REFERENCE", entityName: "attribute" });
  seed.seedMetadataProperty(dev, type, { name: "computed", editable: false });
}

async function world(type: string): Promise<World & { readonly estate: Estate; readonly term: Urn }> {
  const started = await startWorld();
  const { dev } = started;
  extendModel(dev, type);
  return { ...started, estate: seedEstate(dev), term: seed.seedTerm(dev, { name: "T" }).urn };
}

describe.each(places)("document 1, PATCH /%s/{urn}", (path, type, pick) => {
  const all = [...Object.keys(values), "one", "many"];

  test("extraProperties of every type; only the listed ones change; null and [] clear", async () => {
    const { api, estate, term } = await world(type);
    const urn = pick(estate, term);
    const address = `${catalog}/${path}/${urn}`;
    const read = async (): Promise<Json | undefined> =>
      at((await api.get(`${address}?extraProperties=${all.join(",")}`)).body, "extraProperties");
    const nothing = Object.fromEntries(all.map((name) => [name, name === "many" ? [] : null]));
    expect(await read()).toEqual(nothing);
    const everything: JsonObject = {
      ...Object.fromEntries(Object.entries(values).map(([name, [, value]]) => [name, value])),
      one: term,
      many: [attributeOf(estate.orders, "total")],
    };
    expect((await api.patch(address, { extraProperties: everything })).status).toBe(200);
    expect(await read()).toEqual(everything);
    await api.patch(address, { extraProperties: { text: "y" } });
    expect(await read()).toEqual({ ...everything, text: "y" });
    const cleared = Object.fromEntries(all.map((name) => [name, name === "many" ? [] : null]));
    await api.patch(address, { extraProperties: cleared });
    expect(await read()).toEqual(nothing);
  });

  test("they show on request only, in lists too, and never in the answer of a write", async () => {
    const { api, estate, term } = await world(type);
    const urn = pick(estate, term);
    const address = `${catalog}/${path}/${urn}`;
    const patched = await api.patch(address, { extraProperties: { text: "y" } });
    expect(at(patched.body, "extraProperties")).toBeUndefined();
    expect(at((await api.get(address)).body, "extraProperties")).toBeUndefined();
    const listed = (await api.get(`${catalog}/${path}?size=100&extraProperties=text`)).body;
    const data = at(listed, "data") as JsonObject[];
    expect(data.map((entry) => entry["urn"])).toContain(urn);
    for (const entry of data)
      expect(entry["extraProperties"]).toEqual({ text: entry["urn"] === urn ? "y" : null });
    expectRefusal(await api.get(`${catalog}/${path}?extraProperties=colour`), 400);
    expectRefusal(await api.get(`${catalog}/${path}?extraProperties=name`), 400);
  });

  test.each<[string, JsonObject, string]>([
    ["a name that the model does not have", { colour: "red" }, "colour"],
    ["a read-only one", { computed: "x" }, "computed"],
    ["a scalar of another type", { whole: "1" }, "whole"],
    ["a reference to another type", { one: "urn:data:dev:catalog:source:x" }, "one"],
    ["a reference array that is cleared with null", { many: null }, "many"],
  ])("refuses %s and changes nothing", async (_what, extraProperties, name) => {
    const { api, dev, estate, term } = await world(type);
    const urn = pick(estate, term);
    const before = dev.dump();
    const body = { description: "changed", extraProperties: { text: "y", ...extraProperties } };
    const refused = await api.patch(`${catalog}/${path}/${urn}`, body);
    expectRefusal(refused, 400, `#/extraProperties/${name}`);
    expect(dev.dump()).toEqual(before);
  });

  test("description: set, left alone, cleared with null", async () => {
    const { api, estate, term } = await world(type);
    const address = `${catalog}/${path}/${pick(estate, term)}`;
    const rich = JSON.stringify([{ type: "paragraph", children: [{ text: "rich" }] }]);
    expect((await api.patch(address, { description: rich })).body).toMatchObject({ description: rich });
    expect((await api.patch(address, { extraProperties: { text: "y" } })).body).toMatchObject({
      description: rich,
    });
    expect(at((await api.patch(address, { description: null })).body, "description")).toBeUndefined();
    expectRefusal(await api.patch(address, { description: 1 }), 400, "#/description");
  });
});

describe("document 1, PATCH /catalog-items/{urn}: aliases", () => {
  test("the whole array is replaced, in its order; null and [] clear; not mentioned stays", async () => {
    const { api, estate } = await world("catalogItem");
    const address = `${catalog}/catalog-items/${estate.customers.item.urn}`;
    const [first, second] = [
      { type: "A_ASSET_ID", value: "1" },
      { type: "B_ASSET_ID", value: "2" },
    ];
    const aliases = async (body: JsonObject): Promise<Json | undefined> =>
      at((await api.patch(address, body)).body, "aliases");
    expect(await aliases({ aliases: [second, first] })).toEqual([second, first]);
    expect(await aliases({ description: "d" })).toEqual([second, first]);
    expect(await aliases({ aliases: [first] })).toEqual([first]);
    expect(await aliases({ aliases: [] })).toEqual([]);
    await aliases({ aliases: [first] });
    expect(await aliases({ aliases: null })).toEqual([]);
  });
});

describe("document 1, Term: attributeToCatalogItemTermRules", () => {
  const rules = { enabled: true, conditions: [{ minimum: 2, nested: { anything: null } }] };

  test("whatever is inside is kept; PATCH merges; null clears", async () => {
    const { api } = await world("term");
    const created = await api.post(`${catalog}/terms/bulk`, {
      terms: [{ type: "businessTerm", name: "T", attributeToCatalogItemTermRules: rules }],
    });
    expect(at(created.body, "data.0.attributeToCatalogItemTermRules")).toEqual(rules);
    const address = `${catalog}/terms/${at(created.body, "data.0.urn") as string}`;
    const patch = { attributeToCatalogItemTermRules: { enabled: false } };
    expect((await api.patch(address, patch)).body).toMatchObject({
      attributeToCatalogItemTermRules: { ...rules, enabled: false },
    });
    const cleared = await api.patch(address, { attributeToCatalogItemTermRules: null });
    expect(at(cleared.body, "attributeToCatalogItemTermRules")).toBeUndefined();
  });

  test("a new term may have rules or not, but not null; they are an object", async () => {
    const { api } = await world("term");
    for (const wrong of [null, [], "x"]) {
      const terms = [{ type: "businessTerm", name: "T", attributeToCatalogItemTermRules: wrong }];
      const refused = await api.post(`${catalog}/terms/bulk`, { terms });
      expectRefusal(refused, 400, "#/terms/0/attributeToCatalogItemTermRules");
    }
  });
});

describe("document 1, Folders: any depth", () => {
  test("a folder in a folder in a folder; an item shows them closest first", async () => {
    const { api, estate } = await world("folder");
    let parentUrn: string = estate.source;
    const made: string[] = [];
    for (let depth = 1; depth <= 50; depth += 1) {
      const created = await api.post(`${catalog}/folders`, { name: `Level ${depth}`, parentUrn });
      parentUrn = at(created.body, "urn") as string;
      made.unshift(parentUrn);
    }
    const { connection } = estate;
    const item = await api.post(`${catalog}/catalog-items`, {
      type: "dslQueryCatalogItem",
      name: "Deep",
      query: "select id from customers",
      connectionUrn: connection,
      folderUrn: parentUrn,
    });
    const folders = at(item.body, "folders") as JsonObject[];
    expect(folders.map(({ urn }) => urn)).toEqual(made);
    expect(at(item.body, "source.urn")).toBe(estate.source);
  });
});
