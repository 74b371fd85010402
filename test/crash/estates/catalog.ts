import type { Tenant } from "../../../src/emulator/index.ts";
import { changeQuery, deleteItem } from "../../../src/emulator/catalog/sql-items.ts";
import { changeEntity, removeEntity } from "../../../src/emulator/catalog/entities.ts";
import { type CatalogSpec, to, toAll } from "../../../src/emulator/scenarios/build/catalog-spec.ts";
import { createPrimaryMonitor } from "../../../src/emulator/quality/primary.ts";
import { buildCatalog } from "../../../src/emulator/scenarios/build/catalog.ts";
import { buildEstate } from "../../../src/emulator/scenarios/build/estate.ts";
import { buildTerms } from "../../../src/emulator/scenarios/build/glossary.ts";
import { termOf } from "../../../src/emulator/scenarios/build/notation.ts";
import {
  seedDenylist,
  seedEntity,
  seedFolder,
  seedMonitor,
  seedRule,
  seedStewardship,
  seedTerm,
} from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Estate } from "./estate.ts";
import { miniGiven } from "./mini-given.ts";

const business = termOf("businessTerm");

const given = {
  ...miniGiven,
  // Paired by their names: the service lists them.
  groups: [
    {
      name: "Data stewards",
      source: "6f0c1a52-0d7b-4f4e-9a34-5d1b7c1e0b01",
      target: "b3e9d7f4-52c8-4e10-8f6d-21a4c90e7b01",
    },
    {
      name: "Shop owners",
      source: "6f0c1a52-0d7b-4f4e-9a34-5d1b7c1e0b02",
      target: "b3e9d7f4-52c8-4e10-8f6d-21a4c90e7b02",
    },
  ],
};

const spec: CatalogSpec = {
  folders: [
    {
      key: "views",
      name: "Views",
      in: "store",
      description: "What is asked often.",
      extra: { costCentre: "7" },
    },
    { key: "daily", name: "Daily", in: "folders/views" },
    { key: "retired", name: "Retired", in: "folders/views" },
  ],
  sqlItems: [
    {
      key: "Cities",
      name: "Cities",
      folder: "daily",
      connection: "store",
      rich: "Where each {order} goes.",
      query: "SELECT o.ORDER_ID, o.CITY FROM DEV_SHOP.ORDERS o",
    },
    {
      key: "Articles",
      name: "Articles",
      folder: "retired",
      connection: "store",
      query: "SELECT l.ARTICLE FROM DEV_SHOP.LINES l",
    },
  ],
  items: [
    {
      item: "ORDERS",
      extra: { freshnessHours: 4, explainedBy: toAll("terms/order") },
    },
    { item: "LINES", aliases: [{ type: "VENDOR_ASSET_ID", value: "lines-1" }] },
    // The creation of an SQL item takes neither.
    {
      item: "Cities",
      aliases: [{ type: "VENDOR_ASSET_ID", value: "cities-1" }],
      extra: { businessName: "Cities", explainedBy: toAll("terms/order", "terms/city") },
    },
  ],
  attributes: [
    { attribute: "ORDERS.CITY", description: "Where it goes.", extra: { sensitive: true } },
    { attribute: "LINES.ARTICLE", rich: "What a {customer} buys." },
    { attribute: "Cities.CITY", description: "Where it goes, once." },
  ],
  entities: [
    {
      key: "shop",
      type: "dataProduct",
      as: "dataProducts",
      rich: "All about an {order}.",
      values: {
        name: "Shop",
        tier: 1,
        domain: to("terms/order"),
        mainItem: to("items/Cities"),
        items: toAll("items/ORDERS", "items/Cities"),
        // Each reads from the other.
        upstream: toAll("entities/post"),
      },
    },
    {
      key: "post",
      type: "dataProduct",
      as: "dataProducts",
      values: { name: "Post", channels: ["mail"], upstream: toAll("entities/shop") },
    },
    {
      key: "door",
      type: "outputPort",
      as: "ports",
      in: "shop",
      values: { name: "Door", keys: toAll("attributes/Cities.CITY") },
    },
    {
      key: "late",
      type: "qualityIssue",
      as: "qualityIssues",
      values: { name: "Late", items: toAll("items/LINES") },
    },
    { key: "first", type: "issueComment", as: "comments", in: "late", values: { text: "Again." } },
    { key: "second", type: "issueComment", as: "comments", in: "late", values: { text: "And again." } },
    { key: "old", type: "qualityIssue", as: "qualityIssues", values: { name: "Old" } },
  ],
  stewards: {
    "terms/order": "Data stewards",
    "items/ORDERS": "Shop owners",
    "items/Cities": "Data stewards",
    "entities/shop": "Shop owners",
  },
  denied: { "ORDERS.CITY": ["customer"], "Cities.CITY": ["order", "customer"] },
};

function fill(source: Tenant, target: Tenant): void {
  const estate = buildEstate(source, "source", given);
  const terms = buildTerms(estate, [
    business("order", "Order", { description: "What is bought." }),
    business("customer", "Customer", { description: "Who buys." }),
    business("city", "City", { partOf: "order" }),
  ]);
  buildCatalog(estate, terms, spec);
  for (const name of ["Cities", "Articles"]) withPrimaryMonitor(source, name);
  watch(source, "Cities", "CITY");
  buildEstate(target, "target", given);
}

/** The service gives one to each item; the scenarios leave it out. */
function withPrimaryMonitor(tenant: Tenant, name: string): void {
  const item = tenant.items.get(itemOf(tenant, name));
  if (item === undefined) return;
  const monitor = createPrimaryMonitor(tenant, item.urn);
  tenant.items.put({ ...item, primaryMonitorUrn: monitor.urn });
}

/** A monitor of an SQL item: it needs an attribute that comes with the item. */
function watch(tenant: Tenant, item: string, attribute: string): void {
  const catalogItemUrn = itemOf(tenant, item);
  const catalogItemAttributeUrn = columnOf(tenant, item, attribute);
  const [dimension] = tenant.dimensions.values();
  const [result] = dimension?.results ?? [];
  const rule = seedRule(tenant, {
    name: `${item} are named`,
    inputGroups: { main: { joined: false, inputs: { value: { name: "value", dataType: "STRING" } } } },
    implementation: {
      dqDimensionUrn: dimension?.urn ?? "",
      conditions: { empty: { stringExpression: "value is null", resultUrn: result?.urn ?? "" } },
    },
  });
  const ruleAttributeUrn = rule.urns["inputGroups.main.inputs.value"] ?? "";
  seedMonitor(tenant, {
    catalogItemUrn,
    name: `${item} by name`,
    manualRuleInstances: {
      one: {
        ruleUrn: rule.urn,
        enabled: true,
        mappings: { one: { catalogItemAttributeUrn, ruleAttributeUrn } },
      },
    },
  });
}

function itemOf(tenant: Tenant, name: string): Urn {
  const found = [...tenant.items.values()].find((item) => item.name === name);
  if (found === undefined) throw new Error(`there is no item ${name}`);
  return found.urn;
}

function columnOf(tenant: Tenant, item: string, name: string): Urn {
  const found = tenant.attributes.valuesIn(`item:${itemOf(tenant, item)}`).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no attribute ${name}`);
  return found.urn;
}

function groupOf(tenant: Tenant, name: string): Urn {
  const found = tenant.entities.valuesIn("type:group").find(({ properties }) => properties["name"] === name);
  if (found === undefined) throw new Error(`there is no group ${name}`);
  return found.urn;
}

function entityOf(tenant: Tenant, name: string): Urn {
  const found = [...tenant.entities.values()].find(({ properties }) => properties["name"] === name);
  if (found === undefined) throw new Error(`there is no entity ${name}`);
  return found.urn;
}

/** One of each kind of the rest of the catalog, over what is given and over what the run itself creates. */
export const catalog: Estate = {
  name: "catalog",
  pairing: {
    sources: { "Store DEV": "Store PROD" },
    connections: { "dev-store": "prod-store" },
    paths: [miniGiven.rename],
    groups: {},
  },
  queries: [{ pattern: "DEV_", replace: "PROD_" }],
  select: {
    kinds: [
      "folders",
      "sql-items",
      "terms",
      "entities",
      "rules",
      "monitors",
      "term-denylist",
      "item-metadata",
      "attribute-metadata",
      "stewardship",
    ],
    entityTypes: ["dataProduct", "outputPort", "qualityIssue", "issueComment"],
  },
  flags: [],
  except: [],
  twins: [],
  done: 0,
  prepare: (emulator) => fill(emulator.tenant("dev"), emulator.tenant("prod")),
};

/** Patches of each, deletes from the inside, and creates on top of what is mapped: all that can be taken back. */
const catalogEdited: Estate = {
  ...catalog,
  name: "catalog-edited",
  flags: ["--allow-delete"],
  change(source) {
    const folder = (name: string): Urn => {
      const found = [...source.folders.values()].find((one) => one.name === name);
      if (found === undefined) throw new Error(`there is no folder ${name}`);
      return found.urn;
    };
    const daily = source.folders.get(folder("Daily"));
    if (daily !== undefined) source.folders.put({ ...daily, description: "Every day." });
    seedFolder(source, { name: "New", parentUrn: folder("Daily") });
    changeQuery(
      source,
      itemOf(source, "Cities"),
      "SELECT o.CITY, o.ORDER_ID FROM DEV_SHOP.ORDERS o WHERE 1 = 1",
    );
    const articles = source.items.get(itemOf(source, "Articles"));
    if (articles !== undefined) deleteItem(source, articles);
    source.folders.delete(folder("Retired"));

    const orders = source.items.get(itemOf(source, "ORDERS"));
    const extraProperties = { ...orders?.extraProperties, freshnessHours: 8 };
    if (orders !== undefined)
      source.items.put({
        ...orders,
        extraProperties,
        aliases: [{ type: "VENDOR_ASSET_ID", value: "orders-1" }],
      });
    const city = source.attributes.get(columnOf(source, "ORDERS", "CITY"));
    if (city !== undefined) source.attributes.put({ ...city, description: "Where it goes, exactly." });

    changeEntity(source, entityOf(source, "Shop"), { tier: 2, upstream: [] });
    removeEntity(source, entityOf(source, "Old"));
    for (const name of ["Lost", "Broken"])
      seedEntity(source, {
        concreteType: "qualityIssue",
        parentProperty: "qualityIssues",
        properties: { name, causedBy: entityOf(source, "Late") },
      });

    const owners = groupOf(source, "Shop owners");
    seedStewardship(source, { entityUrn: itemOf(source, "Cities"), groupUrn: owners });
  },
};

/** The same, and what is added to a relation: a rollback cannot take that back. */
export const catalogChanged: Estate = {
  ...catalogEdited,
  name: "catalog-changed",
  change(source, emulator) {
    catalogEdited.change?.(source, emulator);
    const region = seedTerm(source, { name: "Region" }).urn;
    seedStewardship(source, { entityUrn: region, groupUrn: groupOf(source, "Shop owners") });
    seedDenylist(source, { attributeUrn: columnOf(source, "ORDERS", "CITY"), termUrn: region });
  },
};

/** Moved in peace and then taken back: creates of what was deleted, reverse patches, deletes. */
export const catalogBack: Estate = { ...catalogEdited, name: "catalog-back", back: true };
