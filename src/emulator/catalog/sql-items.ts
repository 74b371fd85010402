import type { Urn } from "../../model/urn.ts";
import { Checker, checkTenant } from "../check.ts";
import type { JsonObject } from "../json.ts";
import { createPrimaryMonitor } from "../quality/primary.ts";
import { forgetMonitor } from "../quality/dashboards.ts";
import type { CatalogItem, Entity } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { sourceOf } from "./folders.ts";
import { startImport } from "./query-imports.ts";

export const sqlItemType = "dslQueryCatalogItem";

/** Document 1, "Rules for POST /catalog-items": published immediately, only SQL items can be created. */
export function createSqlItem(tenant: Tenant, body: JsonObject): CatalogItem {
  const checker = new Checker();
  checker.onlyFields(body, ["type", "name", "description", "connectionUrn", "query", "folderUrn"], "#");
  if (body["type"] !== sqlItemType) checker.fail("#/type", `type must be ${sqlItemType}.`);
  const name = checker.requiredText(body, "name", "#");
  const query = checker.requiredText(body, "query", "#");
  checker.optional(body, "description", "string", "#", false);
  const isFolder = (urn: Urn): boolean => tenant.folders.has(urn);
  checker.reference(body["folderUrn"], isFolder, "a folder", "#/folderUrn");
  const isConnection = (urn: Urn): boolean => tenant.typeOf(urn) === "connection";
  checker.reference(body["connectionUrn"], isConnection, "a connection", "#/connectionUrn");
  checkTenant(body, tenant.name, "#", checker);
  checker.refuseIfFailed();
  const parentUrn = body["folderUrn"] as Urn;
  const connectionUrn = body["connectionUrn"] as Urn;
  const sourceUrn = sourceOf(tenant, parentUrn);
  if (sourceOf(tenant, connectionUrn) !== sourceUrn) {
    checker.fail("#/connectionUrn", "The connection must belong to the same source as the folder.");
  }
  checker.refuseIfFailed();
  const item = storeItem(tenant, {
    type: sqlItemType,
    name,
    ...(typeof body["description"] === "string" && { description: body["description"] }),
    connectionUrn,
    sourceUrn,
    parentUrn,
    termUrns: [],
    aliases: [],
    extraProperties: {},
  });
  storeQuery(tenant, item.urn, query);
  startImport(tenant, item, query);
  return item;
}

/** Every item has a primary monitor from the start (document 2, migration rule 3). */
export function storeItem(
  tenant: Tenant,
  fields: Omit<CatalogItem, "urn" | "primaryMonitorUrn">,
): CatalogItem {
  const urn = tenant.newUrn("catalog:catalog-item");
  const monitor = createPrimaryMonitor(tenant, urn);
  return tenant.items.put({ ...fields, urn, primaryMonitorUrn: monitor.urn });
}

/** The query is the dslQuery child of the item. */
export function storeQuery(tenant: Tenant, itemUrn: Urn, query: string): Entity {
  return tenant.entities.put({
    urn: tenant.newUrn("catalog:dsl-query"),
    concreteType: "dslQuery",
    parentUrn: itemUrn,
    parentProperty: "dslQuery",
    properties: { query },
  });
}

export function changeQuery(tenant: Tenant, itemUrn: Urn, query: string): void {
  for (const entity of tenant.entities.valuesIn(`type:dslQuery parent:${itemUrn}`)) {
    tenant.entities.put({ ...entity, properties: { ...entity.properties, query } });
  }
}

/** What belongs to the item goes with it: attributes, query, monitors. */
export function deleteItem(tenant: Tenant, item: CatalogItem): void {
  for (const attribute of tenant.attributes.valuesIn(`item:${item.urn}`))
    tenant.attributes.delete(attribute.urn);
  for (const query of tenant.entities.valuesIn(`parent:${item.urn}`)) tenant.entities.delete(query.urn);
  for (const monitor of tenant.monitors.valuesIn(`any:${item.urn}`)) {
    tenant.monitors.delete(monitor.urn);
    forgetMonitor(tenant, monitor.urn);
  }
  tenant.queryImports.delete(item.urn);
  tenant.stewards.delete(item.urn);
  tenant.formerStewards.delete(item.urn);
  tenant.critical.delete(item.urn);
  tenant.items.delete(item.urn);
}
