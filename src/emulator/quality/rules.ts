import type { Urn } from "../../model/urn.ts";
import { independentBatch } from "../batch.ts";
import { Checker, checkTenant } from "../check.ts";
import { bodyObject, noContent, ok, pathUrn, routesOf } from "../http/call.ts";
import type { JsonObject } from "../json.ts";
import { page } from "../paging.ts";
import { conflict, notFound } from "../problem.ts";
import type { DraftType, Rule, Versioned } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { checkComplete, checkRule } from "./rule-checks.ts";
import { ruleShape } from "./rule-shape.ts";
import { entriesOf, Merge } from "./sub-entities.ts";
import { newest, putDraft, putPublished, versionsOf } from "./versions.ts";

export function publishedRule(tenant: Tenant, urn: string): Rule {
  const rule = tenant.rules.get(urn)?.published;
  if (rule === undefined) throw notFound(`Rule ${urn} does not exist.`);
  return rule;
}

function ruleRow(tenant: Tenant, urn: string): Versioned<Rule> {
  const row = tenant.rules.get(urn);
  if (row === undefined) throw notFound(`Rule ${urn} does not exist.`);
  return row;
}

interface Written<T> {
  readonly value: T;
  readonly merge: Merge;
}

/** A new rule, checked and not stored yet; `complete` false leaves room for what only the web application makes. */
export function newRule(
  tenant: Tenant,
  body: JsonObject,
  taken: Set<string>,
  complete = true,
): Written<Rule> {
  const checker = new Checker();
  const merge = new Merge(tenant, checker, taken);
  checkTenant(body, tenant.name, "#", checker);
  const merged = merge.object(ruleShape, undefined, body, "#");
  checkRule(tenant, merged, merge.asWritten, checker);
  if (complete) checkComplete(merged, merge.asWritten, checker);
  checker.refuseIfFailed();
  return { value: { urn: tenant.newUrn("data-quality:rule"), ...merged } as Rule, merge };
}

/** Opens a draft, or goes on with the one that is open. */
export function changeRule(tenant: Tenant, urn: Urn, body: JsonObject): Written<Rule> {
  const row = ruleRow(tenant, urn);
  if (row.draftType === "DELETE") throw conflict(`Rule ${urn} has a draft that deletes it.`);
  const before = newest(row);
  const checker = new Checker();
  const merge = new Merge(tenant, checker, new Set());
  checkTenant(body, tenant.name, "#", checker);
  if ("name" in body) checker.requiredText(body, "name", "#");
  const value = merge.object(ruleShape, before, body, "#") as Rule;
  checkRule(tenant, value, merge.asWritten, checker);
  checker.refuseIfFailed();
  putDraft(tenant.rules, row, value);
  return { value, merge };
}

/** Publishes the draft; without one the published version is the answer. 400 lists what is missing (page 04). */
export function publishRule(tenant: Tenant, urn: Urn): Rule {
  const row = ruleRow(tenant, urn);
  if (row.draft === undefined) return publishedRule(tenant, urn);
  if (row.draftType === "DELETE") {
    removeRule(tenant, urn);
    return row.draft;
  }
  const checker = new Checker();
  checkComplete(row.draft, (key) => key, checker);
  checker.refuseIfFailed();
  putPublished(tenant.rules, urn, row.draft);
  return row.draft;
}

/** Undocumented: a rule that a monitor still applies is refused with 409, for the monitor would be left broken. */
function removeRule(tenant: Tenant, urn: Urn): void {
  ruleRow(tenant, urn);
  for (const monitor of tenant.monitors.values()) {
    for (const version of versionsOf(monitor)) {
      const instances = [
        ...entriesOf(version, "manualRuleInstances"),
        ...entriesOf(version, "termRuleInstances"),
      ];
      if (instances.some(([, instance]) => instance["ruleUrn"] === urn)) {
        throw conflict(`Rule ${urn} is applied by monitor ${monitor.urn}.`);
      }
    }
  }
  tenant.rules.delete(urn);
}

function showRule(rule: Rule, draftType: DraftType): JsonObject {
  const { urn, ...fields } = rule;
  return { urn, draftType, ...fields };
}

export const ruleRoutes = routesOf("data-quality", "/api/data-quality/v1", {
  "GET /rules": (call) =>
    page(call, {
      name: "rules",
      collection: call.tenant.rules,
      key: "",
      render: (rule) => (rule.published === undefined ? null : showRule(rule.published, "NONE")),
    }),
  "GET /rules/:urn": (call) => ok(showRule(publishedRule(call.tenant, pathUrn(call)), "NONE")),
  // Published directly; each item stands for itself (document 2, "Endpoints used for migration").
  "POST /rules/batch/create": (call) => {
    const taken = new Set<string>();
    return independentBatch(call, (item) => {
      const { value, merge } = newRule(call.tenant, item, taken);
      putPublished(call.tenant.rules, value.urn, value);
      return { urn: value.urn, ...merge.correlationIds() };
    });
  },
  "PATCH /rules/:urn": (call) => {
    const urn = pathUrn(call);
    const { value, merge } = changeRule(call.tenant, urn, bodyObject(call));
    return ok(merge.withCorrelation(showRule(value, ruleRow(call.tenant, urn).draftType)));
  },
  "POST /rules/:urn/publish": (call) => ok(showRule(publishRule(call.tenant, pathUrn(call)), "NONE")),
  "DELETE /rules/:urn": (call) => {
    removeRule(call.tenant, pathUrn(call));
    return noContent;
  },
});
