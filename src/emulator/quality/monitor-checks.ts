import { Checker } from "../check.ts";
import { child, isObject } from "../json.ts";
import type { Monitor } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { checkInstance, checkThresholds } from "./instance-checks.ts";
import { checkJoin } from "./join-checks.ts";
import { type AsWritten, entriesOf, type Merge } from "./sub-entities.ts";

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
