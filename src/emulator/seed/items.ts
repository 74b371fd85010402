import type { Urn } from "../../model/urn.ts";
import { checkExtra, mergeExtra } from "../catalog/extra-properties.ts";
import { sourceOf } from "../catalog/folders.ts";
import { itemOf } from "../catalog/items.ts";
import { storeAttribute } from "../catalog/new-attribute.ts";
import { columnsOfQuery } from "../catalog/query-columns.ts";
import { storeColumns } from "../catalog/query-imports.ts";
import { sqlItemType, storeItem, storeQuery } from "../catalog/sql-items.ts";
import { Checker } from "../check.ts";
import { asText, type JsonObject } from "../json.ts";
import { notFound } from "../problem.ts";
import type { Attribute, CatalogItem, Monitor } from "../state.ts";
import type { Tenant } from "../tenant.ts";

interface NewColumn {
  readonly name: string;
  /** Default STRING. */
  readonly dataType?: string;
  /** Default varchar. */
  readonly columnType?: string;
  readonly description?: string;
  readonly extraProperties?: JsonObject;
}

export interface NewItem {
  readonly name: string;
  /** A location (imported item) or a folder (SQL item). */
  readonly parentUrn: Urn;
  readonly connectionUrn?: Urn;
  readonly originPath?: string;
  readonly description?: string;
  readonly aliases?: readonly JsonObject[];
  readonly extraProperties?: JsonObject;
  /** The SQL of an SQL item; its presence makes the item one. */
  readonly query?: string;
  readonly critical?: boolean;
  readonly attributes?: readonly (string | NewColumn)[];
}

export interface SeededItem {
  readonly item: CatalogItem;
  /** By name. */
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly primaryMonitor: Monitor;
}

/** An item with its attributes and its primary monitor. */
export function seedCatalogItem(tenant: Tenant, fields: NewItem): SeededItem {
  const place = tenant.typeOf(fields.parentUrn);
  if (place !== "location" && place !== "folder")
    throw notFound(`${fields.parentUrn} is no location or folder.`);
  const type = fields.query === undefined ? "tableCatalogItem" : sqlItemType;
  const checker = new Checker();
  checkExtra(tenant, type, fields.extraProperties, "#/extraProperties", checker);
  const { connectionUrn } = fields;
  if (connectionUrn !== undefined) {
    const sameSource = (urn: Urn): boolean =>
      tenant.typeOf(urn) === "connection" && sourceOf(tenant, urn) === sourceOf(tenant, fields.parentUrn);
    checker.reference(connectionUrn, sameSource, "a connection of the same source", "#/connectionUrn");
  }
  checker.refuseIfFailed();
  const item = storeItem(tenant, {
    type,
    name: fields.name,
    parentUrn: fields.parentUrn,
    sourceUrn: sourceOf(tenant, fields.parentUrn),
    ...(connectionUrn !== undefined && { connectionUrn }),
    ...(fields.originPath !== undefined && { originPath: fields.originPath }),
    ...(fields.description !== undefined && { description: fields.description }),
    termUrns: [],
    aliases: fields.aliases ?? [],
    extraProperties: mergeExtra({}, fields.extraProperties),
  });
  if (fields.query !== undefined) storeQuery(tenant, item.urn, fields.query);
  if (fields.critical === true) tenant.critical.add(item.urn);
  const attributes = (fields.attributes ?? []).map((column) => seedAttribute(tenant, item.urn, column));
  const primaryMonitor = tenant.monitors.get(item.primaryMonitorUrn ?? "")?.published;
  if (primaryMonitor === undefined) throw notFound("The item has no primary monitor.");
  return {
    item,
    attributes: Object.fromEntries(attributes.map((attribute) => [attribute.name, attribute])),
    primaryMonitor,
  };
}

/** The query runs after all, as after somebody mended its connection: the attributes are there. */
export function runQuery(tenant: Tenant, itemUrn: Urn): Attribute[] {
  const { sourceUrn } = itemOf(tenant, itemUrn);
  const [query] = tenant.entities.valuesIn(`type:dslQuery parent:${itemUrn}`);
  const columns = columnsOfQuery(tenant, sourceUrn, asText(query?.properties["query"]));
  if (columns === undefined) throw notFound("The query reads a table that its source does not have.");
  storeColumns(tenant, itemUrn, columns);
  return tenant.attributes.valuesIn(`item:${itemUrn}`);
}

/** An item that nobody looked after the quality of yet: it has no primary monitor to show. */
export function withoutPrimaryMonitor(tenant: Tenant, itemUrn: Urn): void {
  const { primaryMonitorUrn, ...item } = itemOf(tenant, itemUrn);
  if (primaryMonitorUrn !== undefined) tenant.monitors.delete(primaryMonitorUrn);
  tenant.items.put(item);
}

export function seedAttribute(tenant: Tenant, catalogItemUrn: Urn, column: string | NewColumn): Attribute {
  itemOf(tenant, catalogItemUrn);
  const fields: NewColumn = typeof column === "string" ? { name: column } : column;
  const checker = new Checker();
  checkExtra(tenant, "attribute", fields.extraProperties, "#/extraProperties", checker);
  checker.refuseIfFailed();
  return storeAttribute(tenant, {
    dataType: "STRING",
    columnType: "varchar",
    ...fields,
    extraProperties: mergeExtra({}, fields.extraProperties),
    catalogItemUrn,
  });
}
