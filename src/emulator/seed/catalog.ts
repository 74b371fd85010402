import type { Urn } from "../../model/urn.ts";
import { assignTerm, denyTerm } from "../catalog/assignments.ts";
import { attributeOf } from "../catalog/attributes.ts";
import { checkExtra, mergeExtra } from "../catalog/extra-properties.ts";
import { sourceOf } from "../catalog/folders.ts";
import { itemOf } from "../catalog/items.ts";
import { sqlItemType, storeAttribute, storeItem, storeQuery } from "../catalog/sql-items.ts";
import { checkNewTerm, storeTerm } from "../catalog/terms.ts";
import { Checker } from "../check.ts";
import { compact, type Json, type JsonObject } from "../json.ts";
import { notFound } from "../problem.ts";
import { ruleInputs } from "../quality/rule-shape.ts";
import { publishedRule } from "../quality/rules.ts";
import type { AssignmentSource, Attribute, CatalogItem, Monitor, Term, TermRuleLink } from "../state.ts";
import type { Tenant } from "../tenant.ts";

export interface NewTerm {
  /** Default businessTerm. */
  readonly type?: string;
  readonly name: string;
  readonly description?: string;
  readonly detectionRules?: JsonObject;
  readonly attributeToCatalogItemTermRules?: JsonObject;
  readonly extraProperties?: JsonObject;
  /** Default true; an unpublished term is in no list. */
  readonly published?: boolean;
  readonly critical?: boolean;
  readonly [field: string]: Json | undefined;
}

export function seedTerm(tenant: Tenant, fields: NewTerm): Term {
  const { published, critical, ...rest } = fields;
  const checker = new Checker();
  const body = checkNewTerm(tenant, compact({ type: "businessTerm", ...rest }), "#", checker);
  checker.refuseIfFailed();
  const term = storeTerm(tenant, body, published ?? true);
  if (critical === true) tenant.critical.add(term.urn);
  return term;
}

export interface NewColumn {
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
  const primaryMonitor = tenant.monitors.get(item.primaryMonitorUrn)?.published;
  if (primaryMonitor === undefined) throw notFound("The item has no primary monitor.");
  return {
    item,
    attributes: Object.fromEntries(attributes.map((attribute) => [attribute.name, attribute])),
    primaryMonitor,
  };
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

/** As detection or a person assigns it; linked rules appear on the primary monitor. */
export function seedAssignment(
  tenant: Tenant,
  fields: { readonly attributeUrn: Urn; readonly termUrn: Urn; readonly source?: AssignmentSource },
): Attribute {
  requireTerm(tenant, fields.termUrn);
  assignTerm(tenant, fields.attributeUrn, fields.termUrn, fields.source ?? "MANUAL");
  return attributeOf(tenant, fields.attributeUrn);
}

export function seedDenylist(
  tenant: Tenant,
  fields: { readonly attributeUrn: Urn; readonly termUrn: Urn },
): Attribute {
  requireTerm(tenant, fields.termUrn);
  denyTerm(tenant, fields.attributeUrn, fields.termUrn);
  return attributeOf(tenant, fields.attributeUrn);
}

export function seedItemAssignment(
  tenant: Tenant,
  fields: { readonly catalogItemUrn: Urn; readonly termUrn: Urn },
): CatalogItem {
  requireTerm(tenant, fields.termUrn);
  const item = itemOf(tenant, fields.catalogItemUrn);
  return tenant.items.put({ ...item, termUrns: [...new Set([...item.termUrns, fields.termUrn])] });
}

export function seedStewardship(
  tenant: Tenant,
  fields: { readonly entityUrn: Urn; readonly groupUrn: Urn },
): void {
  if (tenant.typeOf(fields.entityUrn) === undefined) throw notFound(`${fields.entityUrn} does not exist.`);
  if (tenant.typeOf(fields.groupUrn) !== "group") throw notFound(`${fields.groupUrn} is not a group.`);
  tenant.stewards.set(fields.entityUrn, fields.groupUrn);
}

/** What a person does in the web application before the term is assigned; default: the rule's first input. */
export function linkRuleToTerm(
  tenant: Tenant,
  fields: { readonly ruleUrn: Urn; readonly termUrn: Urn; readonly ruleAttributeUrn?: Urn },
): TermRuleLink {
  requireTerm(tenant, fields.termUrn);
  const [first] = ruleInputs(publishedRule(tenant, fields.ruleUrn)).keys();
  const ruleAttributeUrn = fields.ruleAttributeUrn ?? (first as Urn | undefined);
  if (ruleAttributeUrn === undefined) throw notFound(`Rule ${fields.ruleUrn} has no input.`);
  const link = { termUrn: fields.termUrn, ruleUrn: fields.ruleUrn, ruleAttributeUrn };
  tenant.termRuleLinks.push(link);
  return link;
}

function requireTerm(tenant: Tenant, urn: Urn): void {
  if (!tenant.terms.has(urn)) throw notFound(`Term ${urn} does not exist.`);
}
