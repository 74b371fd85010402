import type { Urn } from "../../model/urn.ts";
import type { Checker } from "../check.ts";
import { asText, type JsonObject } from "../json.ts";
import type { Monitor, Rule } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { isAttributeOf } from "./join-checks.ts";
import { ruleInputs, ruleParameters } from "./rule-shape.ts";
import { type AsWritten, entriesOf } from "./sub-entities.ts";

/** What a rule instance refers to: its rule, inputs and parameters of that rule, attributes of the right item. */
export function checkInstance(
  tenant: Tenant,
  monitor: Monitor,
  joins: ReadonlyMap<string, JsonObject>,
  instance: JsonObject,
  place: string,
  asWritten: AsWritten,
  checker: Checker,
): void {
  const { ruleUrn } = instance;
  const rule = tenant.rules.get(asText(ruleUrn))?.published;
  checker.reference(ruleUrn, () => rule !== undefined, "a published rule", `${place}/ruleUrn`);
  checker.optional(instance, "ruleInstanceName", "string", place, false);
  checker.optional(instance, "enabled", "boolean", place, false);
  checkThresholds(instance, "dqThresholds", place, asWritten, checker);
  if (rule === undefined) return;
  const inputs = ruleInputs(rule);
  const isInput = (urn: Urn): boolean => inputs.has(urn);
  const isLocal = isAttributeOf(tenant, monitor.catalogItemUrn);
  for (const [key, mapping] of entriesOf(instance, "mappings")) {
    const at = `${place}/mappings/${asWritten(key)}`;
    checker.reference(mapping["ruleAttributeUrn"], isInput, "an input of the rule", `${at}/ruleAttributeUrn`);
    const local = "an attribute of the monitor's item";
    checker.reference(mapping["catalogItemAttributeUrn"], isLocal, local, `${at}/catalogItemAttributeUrn`);
  }
  for (const [key, mapping] of entriesOf(instance, "connectedMappings")) {
    const at = `${place}/connectedMappings/${asWritten(key)}`;
    const join = joins.get(asText(mapping["joinConfigurationKey"]));
    if (join === undefined)
      checker.fail(`${at}/joinConfigurationKey`, "joinConfigurationKey names no join of this monitor.");
    const isConnected = isAttributeOf(tenant, join?.["connectedCatalogItemUrn"] ?? null);
    const connected = "an attribute of the joined item";
    checker.reference(
      mapping["connectedCatalogItemAttributeUrn"],
      isConnected,
      connected,
      `${at}/connectedCatalogItemAttributeUrn`,
    );
    // Document 2 does not list the rule attribute of a connected mapping; when it is there it must be right.
    if (mapping["ruleAttributeUrn"] !== undefined) {
      checker.reference(
        mapping["ruleAttributeUrn"],
        isInput,
        "an input of the rule",
        `${at}/ruleAttributeUrn`,
      );
    }
  }
  checkParameters(rule, instance, place, asWritten, checker);
}

function checkParameters(
  rule: Rule,
  instance: JsonObject,
  place: string,
  asWritten: AsWritten,
  checker: Checker,
): void {
  const parameters = ruleParameters(rule);
  for (const [key, value] of entriesOf(instance, "parameterValues")) {
    const at = `${place}/parameterValues/${asWritten(key)}/ruleParameterUrn`;
    checker.reference(value["ruleParameterUrn"], (urn) => parameters.has(urn), "a parameter of the rule", at);
  }
}

/** Threshold values are percentages from 0 to 100; severity may be absent (page 04). */
export function checkThresholds(
  owner: JsonObject,
  map: string,
  place: string,
  asWritten: AsWritten,
  checker: Checker,
): void {
  for (const [key, threshold] of entriesOf(owner, map)) {
    const at = `${place}/${map}/${asWritten(key)}`;
    const { value } = threshold;
    if (typeof value !== "number" || value < 0 || value > 100)
      checker.fail(`${at}/value`, "value must be 0 to 100.");
    checker.optional(threshold, "severity", "string", at, false);
  }
}
