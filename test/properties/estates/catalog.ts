import * as fc from "fast-check";
import type { Json, JsonObject, Tenant } from "../../../src/emulator/index.ts";
import { extendCatalogModel } from "../../../src/emulator/scenarios/build/catalog-model.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Given } from "./given.ts";
import { pick } from "./seeding.ts";

/** What people made and wrote in a catalog, as plain data; numbers name the things of each kind by their place. */
export interface CatalogEstate {
  readonly terms: readonly string[];
  readonly folders: readonly {
    readonly name: string;
    readonly parent: number | undefined;
    readonly says: string | undefined;
  }[];
  readonly sqlItems: readonly { readonly name: string; readonly folder: number; readonly says: Words }[];
  readonly entities: readonly {
    readonly type: "dataProduct" | "qualityIssue" | "issueComment";
    readonly name: string;
    readonly holder: number;
    readonly refersTo: readonly number[];
    readonly terms: readonly number[];
  }[];
  readonly items: readonly { readonly item: number; readonly says: Words }[];
  /** Of an imported item, or of an SQL item. */
  readonly attributes: readonly {
    readonly sql: boolean;
    readonly item: number;
    readonly says: Words;
    readonly denied: readonly number[];
  }[];
  readonly stewards: readonly {
    readonly over: "terms" | "items" | "sqlItems" | "entities";
    readonly number: number;
  }[];
}

interface Words {
  readonly description: string | undefined;
  readonly alias: boolean;
  readonly terms: readonly number[];
}

const number = fc.nat({ max: 5 });
const name = fc.constantFrom("Views", "views", "Daily", "__proto__", 'a "quoted" / ~ name');
const says = fc.option(fc.constantFrom("What it means", "[", "<b>bold</b>"), { nil: undefined });
const words: fc.Arbitrary<Words> = fc.record({
  description: says,
  alias: fc.boolean(),
  terms: fc.uniqueArray(number, { maxLength: 2 }),
});

export const catalogEstates: fc.Arbitrary<CatalogEstate> = fc.record({
  terms: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
  folders: fc.array(fc.record({ name, parent: fc.option(number, { nil: undefined }), says }), {
    minLength: 1,
    maxLength: 4,
  }),
  sqlItems: fc.uniqueArray(fc.record({ name, folder: number, says: words }), {
    maxLength: 3,
    selector: (item) => item.name,
  }),
  entities: fc.array(
    fc.record({
      type: fc.constantFrom("dataProduct" as const, "qualityIssue" as const, "issueComment" as const),
      name,
      holder: number,
      refersTo: fc.uniqueArray(number, { maxLength: 2 }),
      terms: fc.uniqueArray(number, { maxLength: 2 }),
    }),
    { maxLength: 6 },
  ),
  items: fc.uniqueArray(fc.record({ item: fc.nat({ max: 2 }), says: words }), {
    maxLength: 3,
    selector: ({ item }) => item,
  }),
  attributes: fc.array(
    fc.record({
      sql: fc.boolean(),
      item: fc.nat({ max: 2 }),
      says: words,
      denied: fc.uniqueArray(number, { maxLength: 2 }),
    }),
    { maxLength: 4 },
  ),
  stewards: fc.array(
    fc.record({
      over: fc.constantFrom("terms" as const, "items" as const, "sqlItems" as const, "entities" as const),
      number,
    }),
    { maxLength: 4 },
  ),
});

/** The types, and the connection that queries run on: the same on both sides. */
export function prepareCatalog(tenant: Tenant, given: Given): Urn {
  extendCatalogModel(tenant);
  const sourceUrn = given.all.get("source warehouse");
  if (sourceUrn === undefined) throw new Error("there is no source");
  return seed.seedConnection(tenant, { name: "wh", sourceUrn }).urn;
}

/** Writes an estate into a tenant. */
export function seedCatalog(tenant: Tenant, given: Given, connectionUrn: Urn, estate: CatalogEstate): void {
  const source = given.all.get("source warehouse") ?? connectionUrn;
  const terms = estate.terms.map(
    (called) => seed.seedTerm(tenant, { type: "businessTerm", name: called }).urn,
  );
  const some = (numbers: readonly number[]): Urn[] => [...new Set(numbers.map((one) => pick(terms, one)))];
  const folders: Urn[] = [];
  for (const { name: called, parent, says: description } of estate.folders) {
    const parentUrn = parent === undefined || folders.length === 0 ? source : pick(folders, parent);
    const text = description === undefined ? {} : { description };
    folders.push(seed.seedFolder(tenant, { name: called, parentUrn, ...text }).urn);
  }
  const written = ({ description, alias, terms: explained }: Words): JsonObject => ({
    ...(description === undefined ? {} : { description }),
    ...(alias ? { aliases: [{ type: "VENDOR_ASSET_ID", value: "x-1" }] } : {}),
    ...(explained.length === 0 ? {} : { extraProperties: { explainedBy: some(explained) } }),
  });
  const sqlItems = estate.sqlItems.map(({ name: called, folder, says: over }) => {
    const parentUrn = pick(folders, folder);
    const { item } = seed.seedCatalogItem(tenant, {
      name: called,
      parentUrn,
      connectionUrn,
      query: "SELECT o.ID, o.EMAIL FROM ORDER o",
    });
    seed.runQuery(tenant, item.urn);
    writeItem(tenant, item.urn, written(over));
    return item.urn;
  });
  const entities: Urn[] = [];
  const filled: (() => void)[] = [];
  for (const { type, name: called, holder, refersTo, terms: about } of estate.entities) {
    const issues = entities.filter((urn) => tenant.entities.get(urn)?.concreteType === "qualityIssue");
    const properties = entityBody(type, called);
    if (type === "issueComment" && issues.length === 0) continue;
    const place =
      type === "issueComment"
        ? { parentUrn: pick(issues, holder), parentProperty: "comments" }
        : { parentProperty: type === "dataProduct" ? "dataProducts" : "qualityIssues" };
    const { urn } = seed.seedEntity(tenant, { concreteType: type, ...place, properties });
    entities.push(urn);
    if (type !== "dataProduct") continue;
    filled.push(() => {
      const products = entities.filter((one) => tenant.entities.get(one)?.concreteType === "dataProduct");
      const upstream = [...new Set(refersTo.map((one) => pick(products, one)))];
      const entity = tenant.entities.get(urn);
      const items = [...new Set(refersTo.map((one) => given.item(one))), ...sqlItems.slice(0, 1)];
      if (entity !== undefined)
        tenant.entities.put({
          ...entity,
          properties: { ...properties, upstream, items, terms: some(about) },
        });
    });
  }
  for (const fill of filled) fill();
  for (const { item, says: over } of estate.items) writeItem(tenant, given.item(item), written(over));
  for (const { sql, item, says: over, denied } of estate.attributes) {
    const urn = sql ? columnOf(tenant, sqlItems, item) : given.attribute(item, item);
    const attribute = urn === undefined ? undefined : tenant.attributes.get(urn);
    if (attribute === undefined) continue;
    const { description } = over;
    if (description !== undefined) tenant.attributes.put({ ...attribute, description });
    for (const termUrn of some(denied)) seed.seedDenylist(tenant, { attributeUrn: attribute.urn, termUrn });
  }
  const over = { terms, items: [given.item(0), given.item(1)], sqlItems, entities };
  for (const { over: what, number: which } of estate.stewards) {
    if (over[what].length > 0)
      seed.seedStewardship(tenant, { entityUrn: pick(over[what], which), groupUrn: given.group });
  }
}

function entityBody(type: string, called: string): JsonObject {
  return type === "issueComment" ? { text: called } : { name: called };
}

function columnOf(tenant: Tenant, items: readonly Urn[], index: number): Urn | undefined {
  return items.length === 0 ? undefined : tenant.attributes.valuesIn(`item:${pick(items, index)}`)[0]?.urn;
}

function writeItem(tenant: Tenant, urn: Urn, fields: Readonly<Record<string, Json>>): void {
  const item = tenant.items.get(urn);
  if (item !== undefined) tenant.items.put({ ...item, ...fields });
}
