import type { Json, JsonObject } from "../json.ts";
import { asText, isArray, isObject } from "../json.ts";
import type { Rule } from "../state.ts";
import { entriesOf, type Shape } from "./sub-entities.ts";

/**
 * Page 04, "The rule resource". Whether conditions are a map or an array, and the shapes of parameters and
 * transformations, is unknown there: here all three are maps of sub-entities.
 */
export const ruleShape: Shape = {
  ignored: ["urn", "draftType"],
  maps: {
    inputGroups: {
      maps: {
        inputs: {
          urn: { field: "urn", type: "data-quality:rule-attribute" },
          maps: { transformations: {} },
        },
      },
    },
    parameters: { urn: { field: "urn", type: "data-quality:rule-parameter" } },
  },
  objects: { implementation: { maps: { conditions: {}, transformations: {} } } },
};

/** The inputs of a rule by URN, whatever their group. */
export function ruleInputs(rule: Rule): Map<string, JsonObject> {
  const inputs = entriesOf(rule, "inputGroups").flatMap(([, group]) => entriesOf(group, "inputs"));
  return new Map(inputs.map(([, input]) => [asText(input["urn"]), input]));
}

export function ruleParameters(rule: Rule): Map<string, JsonObject> {
  return new Map(entriesOf(rule, "parameters").map(([, parameter]) => [asText(parameter["urn"]), parameter]));
}

/** Every value of a field of this name in a tree, with its pointer; `step` names the keys on the way. */
export function valuesNamed(
  value: Json | undefined,
  name: string,
  pointer: string,
  step: (key: string) => string,
): [string, Json][] {
  if (isArray(value)) {
    return value.flatMap((entry, index) => valuesNamed(entry, name, `${pointer}/${index}`, step));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, field]): [string, Json][] => {
    const place = `${pointer}/${step(key)}`;
    return key === name ? [[place, field]] : valuesNamed(field, name, place, step);
  });
}
