import { isUuid, type Urn } from "../../model/urn.ts";
import { Checker } from "../check.ts";
import { asText, child, isObject, type JsonObject } from "../json.ts";
import type { Monitor, Rule } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { ruleInputs, ruleParameters } from "./rule-shape.ts";
import { entriesOf, type Merge } from "./sub-entities.ts";

type AsWritten = (key: string) => string;

/**
 * Checks a merged monitor. What was wrong before the change already (a mapping whose rule input is gone, say)
 * does not stand in the way of another change.
 */
export function checkMonitor(
  tenant: Tenant,
  monitor: Monitor,
  before: Monitor | undefined,
  merge: Merge,
  checker: Checker,
): void {
  const known = new Checker();
  if (before !== undefined) {
    checkFields(before, known);
    checkParts(tenant, before, (key) => key, known);
    checkFixedRules(monitor, before, checker);
  }
  const found = new Checker();
  checkFields(monitor, found);
  checkParts(tenant, monitor, merge.asWritten, found);
  for (const error of found.errors) {
    if (!known.errors.some((old) => old.pointer === error.pointer && old.detail === error.detail)) {
      checker.errors.push(error);
    }
  }
}

function checkFields(monitor: Monitor, checker: Checker): void {
  if (monitor["name"] !== undefined) checker.requiredText(monitor, "name", "#");
  const schedule = child(monitor, "schedule");
  for (const key of ["cronExpression", "timeZone", "startAt"]) {
    checker.optional(schedule, key, "string", "#/schedule", false);
  }
  for (const key of ["enabled", "ignoreMisfires"])
    checker.optional(schedule, key, "boolean", "#/schedule", false);
  checker.optional(schedule, "priority", "integer", "#/schedule", false);
  for (const key of [
    "profilingConfiguration",
    "anomalyDetectionConfiguration",
    "invalidSamplesConfiguration",
  ]) {
    checker.optional(child(monitor, key), "enabled", "boolean", `#/${key}`, false);
  }
  checker.optional(
    child(monitor, "profilingConfiguration"),
    "sampleLimitCount",
    "integer",
    "#/profilingConfiguration",
    false,
  );
  checker.optional(
    child(monitor, "invalidSamplesConfiguration"),
    "sampleSize",
    "integer",
    "#/invalidSamplesConfiguration",
    false,
  );
}

/** ruleUrn cannot be changed: delete and create the rule instance instead (document 2, Update rules 2). */
function checkFixedRules(monitor: Monitor, before: Monitor, checker: Checker): void {
  for (const [key, instance] of entriesOf(monitor, "manualRuleInstances")) {
    const old = child(before, "manualRuleInstances")[key];
    if (isObject(old) && old["ruleUrn"] !== instance["ruleUrn"]) {
      checker.fail(`#/manualRuleInstances/${key}/ruleUrn`, "ruleUrn cannot be changed.");
    }
  }
}

function checkParts(tenant: Tenant, monitor: Monitor, asWritten: AsWritten, checker: Checker): void {
  const joins = new Map(entriesOf(monitor, "joinConfigurations"));
  for (const [key, join] of joins) {
    checkJoin(tenant, monitor, join, `#/joinConfigurations/${asWritten(key)}`, asWritten, checker);
  }
  for (const [key, instance] of entriesOf(monitor, "manualRuleInstances")) {
    const place = `#/manualRuleInstances/${asWritten(key)}`;
    checkInstance(tenant, monitor, joins, instance, place, asWritten, checker);
  }
  checkThresholds(monitor, "overallDqThresholds", "#", asWritten, checker);
  for (const [key, definition] of entriesOf(monitor, "exportDefinitions")) {
    const place = `#/exportDefinitions/${asWritten(key)}`;
    for (const field of ["name", "type", "format"])
      checker.optional(definition, field, "string", place, false);
    checker.optional(definition, "enabled", "boolean", place, false);
  }
}

function isAttributeOf(tenant: Tenant, item: unknown): (urn: Urn) => boolean {
  return (urn) => tenant.attributes.get(urn)?.catalogItemUrn === item;
}

function checkJoin(
  tenant: Tenant,
  monitor: Monitor,
  join: JsonObject,
  place: string,
  asWritten: AsWritten,
  checker: Checker,
): void {
  const { connectedCatalogItemUrn } = join;
  const isItem = (urn: Urn): boolean => tenant.items.has(urn);
  checker.reference(connectedCatalogItemUrn, isItem, "a catalog item", `${place}/connectedCatalogItemUrn`);
  const pairs = entriesOf(join, "foreignKeyPairs");
  if (pairs.length === 0)
    checker.fail(`${place}/foreignKeyPairs`, "A join keeps at least one foreign-key pair.");
  const isLocal = isAttributeOf(tenant, monitor.catalogItemUrn);
  const isConnected = isAttributeOf(tenant, connectedCatalogItemUrn);
  for (const [key, pair] of pairs) {
    const at = `${place}/foreignKeyPairs/${asWritten(key)}`;
    const local = "an attribute of the monitor's item";
    checker.reference(pair["localAttributeUrn"], isLocal, local, `${at}/localAttributeUrn`);
    const connected = "an attribute of the joined item";
    checker.reference(pair["connectedAttributeUrn"], isConnected, connected, `${at}/connectedAttributeUrn`);
  }
}

function checkInstance(
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
function checkThresholds(
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

/** A connected mapping made with its join names the join by its new_ key (document 2, Update rules 3). */
export function resolveJoinKeys(monitor: Monitor, merge: Merge): Monitor {
  const instances = child(monitor, "manualRuleInstances");
  const resolved = Object.entries(instances).map(([key, instance]) => {
    if (!isObject(instance) || !isObject(instance["connectedMappings"])) return [key, instance] as const;
    const mappings = entriesOf(instance, "connectedMappings").map(([mappingKey, mapping]) => {
      const join = mapping["joinConfigurationKey"];
      const assigned = typeof join === "string" && !isUuid(join) ? merge.assigned.get(join) : undefined;
      return [
        mappingKey,
        assigned === undefined ? mapping : { ...mapping, joinConfigurationKey: assigned },
      ] as const;
    });
    return [key, { ...instance, connectedMappings: Object.fromEntries(mappings) }] as const;
  });
  if (resolved.length === 0) return monitor;
  return { ...monitor, manualRuleInstances: Object.fromEntries(resolved) };
}
