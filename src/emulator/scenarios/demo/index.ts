import type { Urn } from "../../../model/urn.ts";
import { leaveRuleDraft, linkRuleToTerm, seedAssignment, seedDenylist, seedStewardship } from "../../seed.ts";
import type { Tenant } from "../../tenant.ts";
import { buildCatalog } from "../build/catalog.ts";
import { buildEstate, type Estate, wanted } from "../build/estate.ts";
import { buildTerms } from "../build/glossary.ts";
import { buildDashboard, buildMonitor, configurePrimary, monitorUrns } from "../build/monitors.ts";
import { buildRule, type PlacedRule } from "../build/rules.ts";
import { given } from "./given.ts";
import { commerceMonitors } from "./monitors-commerce.ts";
import * as metadata from "./metadata.ts";
import { customerMonitors } from "./monitors-customer.ts";
import { operationsMonitors } from "./monitors-operations.ts";
import {
  assignments,
  dashboards,
  denied,
  draftMonitor,
  draftRule,
  itemMetadata,
  stewards,
  termRules,
} from "./others.ts";
import { primaries } from "./primaries.ts";
import { entities } from "./products.ts";
import { commerceRules } from "./rules-commerce.ts";
import { prepareReferenceData } from "./reference-data.ts";
import { customerRules } from "./rules-customer.ts";
import { builderRules, operationsRules } from "./rules-operations.ts";
import { loseCustomers, runNightly } from "./runs.ts";
import * as queries from "./sql-items.ts";
import { ownContent } from "./target.ts";
import { businessTerms } from "./terms-business.ts";
import { governanceTerms } from "./terms-governance.ts";

/** Harvest Lane, an online grocer: everything in the source; in the target what is given, and a little of its own. */
export function prepareDemo(source: Tenant, target: Tenant): void {
  const estate = buildEstate(source, "source", given);
  const terms = buildTerms(estate, [...businessTerms, ...governanceTerms]);
  const rules = buildRules(estate);
  buildMonitors(estate, rules);
  assignTerms(estate, terms, rules);
  describeItems(estate);
  source.critical.add(wanted(terms, "personal-data"));
  leaveDrafts(estate, rules);
  const { folders, sqlItems } = queries;
  buildCatalog(estate, terms, { folders, sqlItems, ...metadata, entities });
  const own = buildEstate(target, "target", given);
  buildCatalog(own, new Map(), ownContent);
  runNightly(estate);
  loseCustomers(own);
  prepareReferenceData(source, target);
  // A query that still names what only the source has finds nothing.
  for (const tenant of [source, target]) tenant.quirks.queryTables = "existing";
}

function buildRules(estate: Estate): ReadonlyMap<string, PlacedRule> {
  const placed = new Map<string, PlacedRule>();
  for (const spec of [...customerRules, ...commerceRules, ...operationsRules, ...builderRules]) {
    placed.set(spec.key, buildRule(estate, spec));
  }
  return placed;
}

function buildMonitors(estate: Estate, rules: ReadonlyMap<string, PlacedRule>): void {
  const monitors = monitorUrns(estate);
  for (const spec of [...customerMonitors, ...commerceMonitors, ...operationsMonitors]) {
    monitors.set(`${spec.item}/${spec.name}`, buildMonitor(estate, rules, spec));
  }
  for (const spec of primaries) configurePrimary(estate, rules, spec);
  for (const spec of dashboards) buildDashboard(estate, monitors, spec);
}

function assignTerms(
  estate: Estate,
  terms: ReadonlyMap<string, Urn>,
  rules: ReadonlyMap<string, PlacedRule>,
): void {
  const { tenant } = estate;
  const attributeOf = ({ item, attribute }: { readonly item: string; readonly attribute: string }): Urn =>
    wanted(wanted(estate.items, item).attributes, attribute);
  // Linked before the terms are assigned: a later link would not apply (document 2, migration rule 7).
  for (const { term, rule, input } of termRules) {
    const { urn: ruleUrn, inputs } = wanted(rules, rule);
    linkRuleToTerm(tenant, {
      ruleUrn,
      termUrn: wanted(terms, term),
      ruleAttributeUrn: wanted(inputs, input),
    });
  }
  for (const { by, terms: keys, ...place } of assignments) {
    const attributeUrn = attributeOf(place);
    for (const key of keys) seedAssignment(tenant, { attributeUrn, termUrn: wanted(terms, key), source: by });
  }
  for (const { terms: keys, ...place } of denied) {
    const attributeUrn = attributeOf(place);
    for (const key of keys) seedDenylist(tenant, { attributeUrn, termUrn: wanted(terms, key) });
  }
}

function describeItems(estate: Estate): void {
  const { tenant } = estate;
  for (const [key, group] of Object.entries(stewards)) {
    const entityUrn = wanted(estate.items, key).urn;
    seedStewardship(tenant, { entityUrn, groupUrn: wanted(estate.groups, group) });
  }
  for (const { item, aliases, retentionMonths } of itemMetadata) {
    const stored = tenant.items.get(wanted(estate.items, item).urn);
    if (stored !== undefined) tenant.items.put({ ...stored, aliases, extraProperties: { retentionMonths } });
  }
}

/** What an exporter of published versions does not see. */
function leaveDrafts(estate: Estate, rules: ReadonlyMap<string, PlacedRule>): void {
  const { urn } = wanted(rules, draftRule.rule);
  leaveRuleDraft(estate.tenant, urn, "CHANGE", { description: draftRule.description });
  buildMonitor(estate, rules, draftMonitor, "NEW");
}
