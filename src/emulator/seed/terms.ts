import type { Urn } from "../../model/urn.ts";
import { assignTerm, denyTerm } from "../catalog/assignments.ts";
import { attributeOf } from "../catalog/attributes.ts";
import { itemOf } from "../catalog/items.ts";
import { checkNewTerm } from "../catalog/term-checks.ts";
import { storeTerm } from "../catalog/terms.ts";
import { Checker } from "../check.ts";
import { compact, type Json, type JsonObject } from "../json.ts";
import { notFound } from "../problem.ts";
import { ruleInputs } from "../quality/rule-shape.ts";
import { publishedRule } from "../quality/rules.ts";
import type { AssignmentSource, Attribute, CatalogItem, Term, TermRuleLink } from "../state.ts";
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
