import { changeEntity } from "../../../src/emulator/catalog/entities.ts";
import { changeQuery, deleteItem } from "../../../src/emulator/catalog/sql-items.ts";
import type { Json, JsonObject } from "../../../src/emulator/json.ts";
import { runQuery, seedCatalogItem, seedEntity } from "../../../src/emulator/seed.ts";
import type { CatalogItem } from "../../../src/emulator/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { type Side, wanted } from "../../diff/support/side.ts";

/** SQL items and generic entities, as people make them in the web application. */

/** Connection of the source of CUSTOMER. */
export function warehouse(side: Side): Urn {
  return wanted(side.tenant.items.get(side.item("CUSTOMER"))?.connectionUrn, "connection");
}

export const query = "SELECT c.CUSTOMER_ID, c.EMAIL FROM DEV_SALES.CUSTOMER.CUSTOMER c";

/** In the words of the target. */
export const queryThere = "SELECT c.CUSTOMER_ID, c.EMAIL FROM PROD_SALES.CUSTOMER.CUSTOMER c";

export function seedSqlItem(
  side: Side,
  name: string,
  folder: Urn,
  more: Partial<Parameters<typeof seedCatalogItem>[1]> = {},
): Urn {
  const { item } = seedCatalogItem(side.tenant, {
    name,
    parentUrn: folder,
    connectionUrn: warehouse(side),
    query: side.tenant.name === "dev" ? query : queryThere,
    description: `What ${name} shows`,
    ...more,
  });
  runQuery(side.tenant, item.urn);
  return item.urn;
}

export function itemCalled(side: Side, name: string): CatalogItem {
  return wanted(side.tenant.items.get(side.item(name)), name);
}

/** The query of an item, as it stands at a side. */
export function queryOf({ tenant }: Side, item: Urn): Json | undefined {
  return tenant.entities.valuesIn(`type:dslQuery parent:${item}`)[0]?.properties["query"];
}

export function editItem({ tenant }: Side, urn: Urn, change: Partial<CatalogItem>): void {
  tenant.items.put({ ...wanted(tenant.items.get(urn), urn), ...change });
}

export function editQuery({ tenant }: Side, urn: Urn, text: string): void {
  changeQuery(tenant, urn, text);
}

export function removeSqlItem({ tenant }: Side, urn: Urn): void {
  deleteItem(tenant, wanted(tenant.items.get(urn), urn));
}

export function seedProduct(side: Side, name: string, more: JsonObject = {}): Urn {
  return seedEntity(side.tenant, {
    concreteType: "dataProduct",
    parentProperty: "dataProducts",
    properties: { name, description: `What ${name} promises`, ...more },
  }).urn;
}

export function seedPort(side: Side, product: Urn, name: string, more: JsonObject = {}): Urn {
  return seedEntity(side.tenant, {
    concreteType: "outputPort",
    parentUrn: product,
    parentProperty: "ports",
    properties: { name, ...more },
  }).urn;
}

export function editEntity({ tenant }: Side, urn: Urn, properties: JsonObject): void {
  changeEntity(tenant, urn, properties);
}

export function removeOne({ tenant }: Side, urn: Urn): void {
  tenant.entities.delete(urn);
}

/** At the root, or where `more` says. */
export function seedIssue(
  side: Side,
  name: string,
  more: Partial<Parameters<typeof seedEntity>[1]> = {},
): Urn {
  const place = { concreteType: "qualityIssue", parentProperty: "qualityIssues", ...more };
  return seedEntity(side.tenant, { ...place, properties: { name } }).urn;
}

export function seedComment(side: Side, issue: Urn, text: string): Urn {
  return seedEntity(side.tenant, {
    concreteType: "issueComment",
    parentUrn: issue,
    parentProperty: "comments",
    properties: { text },
  }).urn;
}
