import type { Urn } from "../../model/urn.ts";
import type { Checker } from "../check.ts";
import { asText, child, isObject, type JsonObject } from "../json.ts";
import type { Tenant } from "../tenant.ts";
import { type AsWritten, entriesOf } from "./sub-entities.ts";
import { valuesNamed } from "./rule-shape.ts";

/** What a rule refers to must exist, and its parts must be of their types; holds for drafts too. */
export function checkRule(tenant: Tenant, rule: JsonObject, asWritten: AsWritten, checker: Checker): void {
  if (rule["name"] !== undefined) checker.requiredText(rule, "name", "#");
  checker.optional(rule, "description", "string", "#", false);
  for (const [groupKey, group] of entriesOf(rule, "inputGroups")) {
    const place = `#/inputGroups/${asWritten(groupKey)}`;
    if (typeof group["joined"] !== "boolean")
      checker.fail(`${place}/joined`, "joined must be true or false.");
    for (const [key, input] of entriesOf(group, "inputs")) {
      checker.requiredText(input, "name", `${place}/inputs/${asWritten(key)}`);
      checker.requiredText(input, "dataType", `${place}/inputs/${asWritten(key)}`);
    }
  }
  for (const [key, parameter] of entriesOf(rule, "parameters")) {
    checker.requiredText(parameter, "name", `#/parameters/${asWritten(key)}`);
    checker.requiredText(parameter, "dataType", `#/parameters/${asWritten(key)}`);
  }
  if (isObject(rule["implementation"]))
    checkImplementation(tenant, rule["implementation"], asWritten, checker);
  for (const [pointer, value] of valuesNamed(rule, "transformationUrn", "#", asWritten)) {
    checker.reference(value, (urn) => tenant.transformations.has(urn), "a transformation", pointer);
  }
  for (const [pointer, value] of valuesNamed(rule, "groupUrn", "#", asWritten)) {
    checker.reference(value, (urn) => tenant.typeOf(urn) === "group", "a group", pointer);
  }
}

function checkImplementation(
  tenant: Tenant,
  implementation: JsonObject,
  asWritten: AsWritten,
  checker: Checker,
): void {
  const place = "#/implementation";
  const { dqDimensionUrn } = implementation;
  const isDimension = (urn: Urn): boolean => tenant.dimensions.has(urn);
  checker.reference(dqDimensionUrn, isDimension, "a dimension", `${place}/dqDimensionUrn`);
  const dimension = tenant.dimensions.get(asText(dqDimensionUrn));
  const isResult = (urn: Urn): boolean => dimension?.results.some((result) => result.urn === urn) ?? false;
  for (const [key, condition] of entriesOf(implementation, "conditions")) {
    const conditionPlace = `${place}/conditions/${asWritten(key)}`;
    const what = "a result of the dimension of the rule";
    checker.reference(condition["resultUrn"], isResult, what, `${conditionPlace}/resultUrn`);
  }
}

/**
 * What a published rule needs (page 04): name, an implementation with conditions, one input group that is not
 * joined. A condition without an expression evaluates nothing: logic of the condition builder has to be
 * rewritten by hand as an advanced expression first (document 2, migration rule 6).
 */
export function checkComplete(rule: JsonObject, asWritten: AsWritten, checker: Checker): void {
  checker.requiredText(rule, "name", "#");
  const groups = entriesOf(rule, "inputGroups");
  if (!groups.some(([, group]) => group["joined"] === false)) {
    checker.fail("#/inputGroups", "At least one input group with joined false is required.");
  }
  const implementation = rule["implementation"];
  if (!isObject(implementation)) {
    checker.fail("#/implementation", "implementation is required.");
    return;
  }
  if (Object.keys(child(implementation, "conditions")).length === 0) {
    checker.fail("#/implementation/conditions", "At least one condition is required.");
  }
  for (const [key, condition] of entriesOf(implementation, "conditions")) {
    checker.requiredText(condition, "stringExpression", `#/implementation/conditions/${asWritten(key)}`);
  }
}
