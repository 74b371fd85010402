import type { Urn } from "../../model/urn.ts";
import { type Checker, checkTenant } from "../check.ts";
import { isArray, isObject, type Json, type JsonObject } from "../json.ts";
import type { Tenant } from "../tenant.ts";
import { checkExtra } from "./extra-properties.ts";

export const readOnly = ["urn", "effectiveCriticality", "effectiveStewardship"];

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

/** The fields that a new term and a patch share; only a patch may clear them with null. */
export function checkTermFields(
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

export function checkDetectionRules(
  tenant: Tenant,
  rules: JsonObject,
  pointer: string,
  checker: Checker,
): void {
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
