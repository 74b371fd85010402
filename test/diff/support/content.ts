import type { JsonObject } from "../../../src/emulator/json.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Side } from "./side.ts";

/** The same content for either side, in its own URNs: what the target holds after a move is what this seeds there. */

export function seedTerm(side: Side, name: string, more: JsonObject = {}): Urn {
  return seed.seedTerm(side.tenant, {
    type: "businessTerm",
    name,
    description: `What ${name} means`,
    ...more,
  }).urn;
}

/** In a folder, or else at the top of the source of CUSTOMER. */
export function seedFolder(
  side: Side,
  name: string,
  parentUrn: Urn = side.source(),
  more: JsonObject = {},
): Urn {
  return seed.seedFolder(side.tenant, { name, parentUrn, description: `What is in ${name}`, ...more }).urn;
}

/** One input `email`, one parameter `pattern`, one condition. */
export function ruleBody(side: Side, name: string, more: JsonObject = {}): JsonObject {
  return {
    name,
    description: `Checks ${name}`,
    inputGroups: { main: { joined: false, inputs: { email: { name: "email", dataType: "STRING" } } } },
    parameters: { pattern: { name: "pattern", dataType: "STRING" } },
    implementation: {
      dqDimensionUrn: side.dimension("Validity"),
      conditions: {
        bad: { stringExpression: "email is null", resultUrn: side.result("Validity", "Invalid") },
      },
    },
    ...more,
  };
}

export function seedRule(side: Side, name: string, more: JsonObject = {}): Urn {
  return seed.seedRule(side.tenant, ruleBody(side, name, more)).urn;
}

/** An instance of a rule on CUSTOMER.EMAIL, with a threshold and a parameter value. */
export function instanceOf(side: Side, ruleUrn: Urn, name: string, more: JsonObject = {}): JsonObject {
  return {
    ruleUrn,
    ruleInstanceName: name,
    enabled: true,
    dqThresholds: { [`threshold ${name}`]: { value: 80, severity: "WARNING" } },
    mappings: {
      [`mapping ${name}`]: {
        catalogItemAttributeUrn: side.attribute("CUSTOMER", "EMAIL"),
        ruleAttributeUrn: side.part(ruleUrn, "email"),
      },
    },
    parameterValues: {
      [`value ${name}`]: { value: ".+@.+", ruleParameterUrn: side.part(ruleUrn, "pattern") },
    },
    ...more,
  };
}

/** A schedule, a join, thresholds, and one instance of the rule. */
export function monitorBody(
  side: Side,
  ruleUrn: Urn,
  name: string,
  more: JsonObject = {},
): JsonObject & { catalogItemUrn: Urn } {
  return {
    catalogItemUrn: side.item("CUSTOMER"),
    name,
    schedule: { cronExpression: "0 0 6 * * ?", enabled: true, timeZone: "UTC" },
    profilingConfiguration: { enabled: true, type: "SAMPLE", sampleLimitCount: 1000 },
    manualRuleInstances: { instance: instanceOf(side, ruleUrn, "Email") },
    overallDqThresholds: { overall: { value: 90, severity: "WARNING" } },
    ...more,
  };
}

export function seedMonitor(side: Side, ruleUrn: Urn, name: string, more: JsonObject = {}): Urn {
  return seed.seedMonitor(side.tenant, monitorBody(side, ruleUrn, name, more)).urn;
}

export function configurePrimary(side: Side, item: string, body: JsonObject): void {
  seed.seedPrimaryMonitor(side.tenant, side.item(item), body);
}

/** A dashboard over primary monitors: every item has one on both sides. */
export function seedDashboard(side: Side, name: string, more: JsonObject = {}): Urn {
  const dqMonitorUrns = [side.primary("CUSTOMER"), side.primary("SALES_ORDER")];
  return seed.seedDashboard(side.tenant, { name, description: `Shows ${name}`, dqMonitorUrns, ...more }).urn;
}
