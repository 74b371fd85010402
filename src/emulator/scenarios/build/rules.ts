import type { Urn } from "../../../model/urn.ts";
import { asText, compact, type Json, type JsonObject } from "../../json.ts";
import { ruleInputs, ruleParameters } from "../../quality/rule-shape.ts";
import { seedRule } from "../../seed.ts";
import { type Estate, wanted } from "./estate.ts";
import type { RuleSpec } from "./spec.ts";

/** A published rule, and its parts by name: monitors refer to these. */
export interface PlacedRule {
  readonly urn: Urn;
  readonly inputs: ReadonlyMap<string, Urn>;
  readonly parameters: ReadonlyMap<string, Urn>;
}

export function buildRule(estate: Estate, spec: RuleSpec): PlacedRule {
  const { urn, value } = seedRule(estate.tenant, ruleBody(estate, spec));
  return { urn, inputs: byName(ruleInputs(value)), parameters: byName(ruleParameters(value)) };
}

function byName(parts: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, Urn> {
  return new Map([...parts].map(([urn, part]) => [asText(part["name"]), urn as Urn]));
}

/** The body of a rule, its parts under keys of their own (page 04, "The rule resource"). */
function ruleBody(estate: Estate, spec: RuleSpec): JsonObject {
  const dimension = wanted(estate.dimensions, spec.dimension);
  const applied = (input: string, dataType: string, key: string): JsonObject | undefined => {
    const name = spec.transformations?.[input];
    if (name === undefined) return undefined;
    return {
      [`transformation_${key}`]: { transformationUrn: wanted(estate.transformations, `${name} ${dataType}`) },
    };
  };
  const groups = spec.groups.map(({ joined, inputs }, group) => ({
    joined,
    inputs: keyed(
      `input_${group}`,
      inputs.map(({ name, dataType }) =>
        compact({ name, dataType, transformations: applied(name, dataType, name) }),
      ),
    ),
  }));
  const conditions = spec.conditions.map(({ when, result, explanation }, order) =>
    compact({ order, stringExpression: when, resultUrn: wanted(dimension.results, result), explanation }),
  );
  return compact({
    name: spec.name,
    description: spec.description,
    inputGroups: keyed("group", groups),
    parameters:
      spec.parameters &&
      keyed(
        "parameter",
        spec.parameters.map(({ name, dataType, value }) =>
          compact({ name, dataType, defaultValue: value as Json }),
        ),
      ),
    implementation: compact({
      dqDimensionUrn: dimension.urn,
      conditions: keyed("condition", conditions),
      // No document names this field; it refers to a result all the same.
      otherwiseResultUrn: wanted(dimension.results, spec.otherwise),
      transformations: applied("*", "DOUBLE", "rule"),
    }),
  });
}

/** A map of parts; the tenant assigns the keys that they are stored under. */
export function keyed(prefix: string, values: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(values.map((value, index) => [`${prefix}_${index}`, value]));
}
