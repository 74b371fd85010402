import type { Urn } from "../../model/urn.ts";
import { Checker, checkTenant } from "../check.ts";
import { batchItems, bodyObject, created, noContent, ok, pathUrn, routesOf } from "../http/call.ts";
import { isArray, isObject, type Json, type JsonObject, mergePatch, without } from "../json.ts";
import { page } from "../paging.ts";
import { notFound } from "../problem.ts";
import type { Term } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { unassignTerm } from "./assignments.ts";
import { checkExtra, mergeExtra } from "./extra-properties.ts";
import { nothing, type Requested, requested, requestedFields } from "./related.ts";

const readOnly = ["urn", "effectiveCriticality", "effectiveStewardship"];

/** Checks a new term (document 1, POST /terms/bulk: optional fields are not nullable there). */
export function checkNewTerm(
  tenant: Tenant,
  value: Json | undefined,
  pointer: string,
  checker: Checker,
): JsonObject {
  const body = checker.object(value, pointer);
  const type = checker.requiredText(body, "type", pointer);
  if (type !== "" && !isTermType(tenant, type))
    checker.fail(`${pointer}/type`, `${type} is not a type of term.`);
  checker.requiredText(body, "name", pointer);
  checker.refuseFields(body, readOnly, pointer, "is read-only");
  checkTermFields(tenant, type, body, pointer, checker, false);
  checkTenant(body, tenant.name, pointer, checker);
  return body;
}

function isTermType(tenant: Tenant, type: string): boolean {
  const definition = tenant.model.get(type);
  return definition !== undefined && definition.editable && type !== "term" && tenant.model.isA(type, "term");
}

function checkTermFields(
  tenant: Tenant,
  type: string,
  body: JsonObject,
  pointer: string,
  checker: Checker,
  nullable: boolean,
): void {
  checker.optional(body, "description", "string", pointer, nullable);
  checker.optional(body, "detectionRules", "object", pointer, nullable);
  checker.optional(body, "attributeToCatalogItemTermRules", "object", pointer, nullable);
  if (!nullable || body["extraProperties"] !== null) {
    checkExtra(tenant, type, body["extraProperties"], `${pointer}/extraProperties`, checker);
  }
  if (isObject(body["detectionRules"])) {
    checkDetectionRules(tenant, body["detectionRules"], `${pointer}/detectionRules`, checker);
  }
}

function checkDetectionRules(tenant: Tenant, rules: JsonObject, pointer: string, checker: Checker): void {
  const { operator, ruleAssignments } = rules;
  if (operator !== undefined && operator !== "AND" && operator !== "OR") {
    checker.fail(`${pointer}/operator`, "operator must be AND or OR.");
  }
  if (ruleAssignments === undefined || ruleAssignments === null) return;
  if (!isArray(ruleAssignments)) {
    checker.fail(`${pointer}/ruleAssignments`, "ruleAssignments must be an array.");
    return;
  }
  for (const [index, entry] of ruleAssignments.entries()) {
    const place = `${pointer}/ruleAssignments/${index}`;
    const assignment = checker.object(entry, place);
    const exists = (urn: Urn): boolean => tenant.typeOf(urn) === "detectionRule";
    checker.reference(
      assignment["detectionRuleUrn"],
      exists,
      "a detection rule",
      `${place}/detectionRuleUrn`,
    );
    const { threshold } = assignment;
    if (threshold === undefined || threshold === null) continue;
    if (typeof threshold !== "number" || !Number.isInteger(threshold) || threshold < 0 || threshold > 100) {
      checker.fail(`${place}/threshold`, "threshold must be an integer of 0 to 100.");
    }
  }
}

/** Stores a term that was checked; terms of the interface are published at once. */
export function storeTerm(tenant: Tenant, body: JsonObject, published = true): Term {
  const term = {
    urn: tenant.newUrn("catalog:term"),
    ...without(body, ["extraProperties"]),
    extraProperties: mergeExtra({}, body["extraProperties"]),
  } as Term;
  tenant.terms.put(
    published
      ? { urn: term.urn, published: term, draftType: "NONE" }
      : { urn: term.urn, draft: term, draftType: "NEW" },
  );
  return term;
}

export function publishedTerm(tenant: Tenant, urn: string): Term {
  const term = tenant.terms.get(urn)?.published;
  if (term === undefined) throw notFound(`Term ${urn} does not exist.`);
  return term;
}

/** Merges a PATCH body into a published term. */
export function changeTerm(tenant: Tenant, urn: Urn, body: JsonObject): Term {
  const term = publishedTerm(tenant, urn);
  const checker = new Checker();
  checker.refuseFields(body, readOnly, "#", "is read-only");
  if ("type" in body && body["type"] !== term.type)
    checker.fail("#/type", "The type of a term cannot be changed.");
  if ("name" in body) checker.requiredText(body, "name", "#");
  checkTermFields(tenant, term.type, body, "#", checker, true);
  checkTenant(body, tenant.name, "#", checker);
  checker.refuseIfFailed();
  const merged = mergePatch(
    without(term, ["extraProperties"]),
    without(body, ["extraProperties"]),
  ) as JsonObject;
  if (isObject(merged["detectionRules"])) {
    checkDetectionRules(tenant, merged["detectionRules"], "#/detectionRules", checker);
    checker.refuseIfFailed();
  }
  const extraProperties = mergeExtra(term.extraProperties, body["extraProperties"]);
  const changed = { ...merged, extraProperties } as Term;
  const row = tenant.terms.get(urn);
  if (row !== undefined) tenant.terms.put({ ...row, published: changed });
  return changed;
}

export function removeTerm(tenant: Tenant, urn: Urn): void {
  publishedTerm(tenant, urn);
  unassignTerm(tenant, urn);
  tenant.terms.delete(urn);
}

const related = ["effectiveCriticality", "effectiveStewardship"] as const;

function showTerm(tenant: Tenant, term: Term, asked: Requested): JsonObject {
  return { ...without(term, ["extraProperties"]), ...requestedFields(tenant, term, term.type, asked) };
}

export const termRoutes = routesOf("catalog", "/api/catalog/v1", {
  "GET /terms": (call) => {
    const asked = requested(call, "term", related);
    return page(call, {
      name: "terms",
      collection: call.tenant.terms,
      key: "",
      sortable: { name: (term) => term.published?.name ?? "" },
      render: (term) => (term.published === undefined ? null : showTerm(call.tenant, term.published, asked)),
    });
  },
  "GET /terms/:urn": (call) => {
    const asked = requested(call, "term", related);
    return ok(showTerm(call.tenant, publishedTerm(call.tenant, pathUrn(call)), asked));
  },
  "PATCH /terms/:urn": (call) =>
    ok(showTerm(call.tenant, changeTerm(call.tenant, pathUrn(call), bodyObject(call)), nothing)),
  "DELETE /terms/:urn": (call) => {
    removeTerm(call.tenant, pathUrn(call));
    return noContent;
  },
  // All or nothing: one bad term refuses the request.
  "POST /terms/bulk": (call) => {
    const { tenant } = call;
    const checker = new Checker();
    const items = batchItems(bodyObject(call), "terms");
    const bodies = items.map((item, index) => checkNewTerm(tenant, item, `#/terms/${index}`, checker));
    checker.refuseIfFailed();
    const terms = bodies.map((body) => storeTerm(tenant, body));
    return created({ data: terms.map((term) => showTerm(tenant, term, nothing)) });
  },
});
