import type { JsonObject } from "../../../src/emulator/json.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Side } from "../../diff/support/side.ts";
import { onlyKey } from "../../diff/support/side.ts";

/** Objects at the source that refer to one given thing and to nothing else of its kind. */

let count = 0;
/** Users of equal content are told apart by their names. */
function name(): string {
  count += 1;
  return `User ${count}`;
}

/** A term with an extra property that refers to something of a metadata type, which both models have. */
export function termAbout(entityName: string): (from: Side, given: Urn, to: Side) => Urn {
  return (from, given, to) => {
    for (const { tenant } of [from, to]) {
      if (tenant.model.property("businessTerm", "about") !== undefined) continue;
      seed.seedMetadataProperty(tenant, "businessTerm", {
        name: "about",
        type: "SINGLE_REFERENCE",
        entityName,
      });
    }
    return seed.seedTerm(from.tenant, { name: name(), extraProperties: { about: given } }).urn;
  };
}

export function termDetectedBy(from: Side, given: Urn): Urn {
  const detectionRules = { operator: "AND", ruleAssignments: [{ detectionRuleUrn: given, threshold: 80 }] };
  return seed.seedTerm(from.tenant, { name: name(), detectionRules }).urn;
}

export function seedRule(from: Side, more: JsonObject = {}): Urn {
  const conditions = {
    bad: { stringExpression: "value is null", resultUrn: from.result("Validity", "Invalid") },
  };
  const body = {
    name: name(),
    inputGroups: { main: { joined: false, inputs: { value: { name: "value", dataType: "STRING" } } } },
    implementation: { dqDimensionUrn: from.dimension("Validity"), conditions },
    ...more,
  };
  return seed.seedRule(from.tenant, body).urn;
}

export function ruleOwnedBy(from: Side, given: Urn): Urn {
  return seedRule(from, { groupUrn: given });
}

export function ruleTransformedBy(from: Side, given: Urn): Urn {
  const transformations = { first: { transformationUrn: given } };
  const inputs = { value: { name: "value", dataType: "STRING", transformations } };
  return seedRule(from, { inputGroups: { main: { joined: false, inputs } } });
}

/** Its condition uses the first result. */
export function ruleOfDimension(from: Side, given: Urn): Urn {
  const resultUrn = from.tenant.dimensions.get(given)?.results[0]?.urn ?? "";
  const conditions = { bad: { stringExpression: "value is null", resultUrn } };
  return seedRule(from, { implementation: { dqDimensionUrn: given, conditions } });
}

export function monitorOf(from: Side, catalogItemUrn: Urn): Urn {
  return seed.seedMonitor(from.tenant, { catalogItemUrn, name: name() }).urn;
}

export function monitorMapping(
  from: Side,
  catalogItemAttributeUrn: Urn,
  catalogItemUrn = from.item("CUSTOMER"),
): Urn {
  const ruleUrn = seedRule(from);
  const inputs = from.tenant.rules.get(ruleUrn)?.published?.["inputGroups"] as Record<
    string,
    { inputs: Record<string, unknown> }
  >;
  const input = inputs[onlyKey(inputs)]?.inputs ?? {};
  const ruleAttributeUrn = from.tenant.urnFor("data-quality:rule-attribute", onlyKey(input));
  const mappings = { only: { catalogItemAttributeUrn, ruleAttributeUrn } };
  const instance = { ruleUrn, enabled: true, mappings };
  return seed.seedMonitor(from.tenant, { catalogItemUrn, name: name(), manualRuleInstances: { instance } })
    .urn;
}

/** No document names the field of an export's connection, and the service does not check it. */
export function monitorExporting(from: Side, connectionUrn: Urn): Urn {
  const exportDefinitions = { only: { name: "Failed rows", format: "CSV", enabled: true, connectionUrn } };
  return seed.seedMonitor(from.tenant, {
    catalogItemUrn: from.item("CUSTOMER"),
    name: name(),
    exportDefinitions,
  }).urn;
}
