import type { Urn } from "../../../model/urn.ts";
import { asText, child, type Json, type JsonObject } from "../../json.ts";
import type { Condition, InputColumn, Instance, Monitor, Rule, RunInputs, TableData } from "../../state.ts";
import type { Tenant } from "../../tenant.ts";
import { ruleInputs, ruleParameters } from "../rule-shape.ts";
import { entriesOf } from "../sub-entities.ts";
import { tableOf } from "./table.ts";

export function inputsOf(tenant: Tenant, monitor: Monitor): RunInputs {
  const item = tenant.items.get(monitor.catalogItemUrn);
  const table = tableOf(tenant, item ?? { urn: monitor.catalogItemUrn, name: "" });
  const attributes = tenant.attributes.valuesIn(`item:${monitor.catalogItemUrn}`);
  const instances: Instance[] = [];
  for (const [key, body] of [
    ...entriesOf(monitor, "manualRuleInstances"),
    ...entriesOf(monitor, "termRuleInstances"),
  ]) {
    if (body["enabled"] === false) continue;
    const made = instanceOf(tenant, key, body, table);
    if (typeof made === "string") return { monitor, table, instances: [], attributes, failure: made };
    instances.push(made);
  }
  return { monitor, table, instances, attributes };
}

function instanceOf(tenant: Tenant, key: string, body: JsonObject, table: TableData): Instance | string {
  const rule = tenant.rules.get(asText(body["ruleUrn"]))?.published;
  if (rule === undefined) return `The rule ${asText(body["ruleUrn"])} does not exist.`;
  const implementation = child(rule, "implementation");
  const dimension = tenant.dimensions.get(asText(implementation["dqDimensionUrn"]));
  if (dimension === undefined) return `The rule ${rule.name} has no dimension.`;
  const passing = dimension.results.find((result) => result.passedOverallResult) ?? dimension.results[0];
  const conditions = entriesOf(implementation, "conditions").map(
    ([conditionKey, condition]): Condition & {
      readonly order: number;
    } => ({
      key: conditionKey,
      // The logic of the condition builder is not shown; it is there all the same.
      expression: asText(condition["stringExpression"]) || `built: ${asText(condition["explanation"])}`,
      resultUrn: asText(condition["resultUrn"]) as Urn,
      explanation: asText(condition["explanation"]) || undefined,
      order: typeof condition["order"] === "number" ? condition["order"] : 0,
    }),
  );
  // Keys are the tenant's own: nothing may follow from their order.
  conditions.sort((one, other) => one.order - other.order || compare(one.expression, other.expression));
  const columns = columnsOf(tenant, body, rule, table);
  if (typeof columns === "string") return columns;
  return {
    key,
    body,
    rule,
    dimension,
    conditions,
    otherwise: (asText(implementation["otherwiseResultUrn"]) || (passing?.urn ?? "")) as Urn,
    columns,
    parameters: parametersOf(rule, body),
  };
}

function columnsOf(
  tenant: Tenant,
  body: JsonObject,
  rule: Rule,
  table: TableData,
): readonly InputColumn[] | string {
  const inputs = ruleInputs(rule);
  const columns: InputColumn[] = [];
  for (const [map, field] of [
    ["mappings", "catalogItemAttributeUrn"],
    ["connectedMappings", "connectedCatalogItemAttributeUrn"],
  ] as const) {
    for (const [, mapping] of entriesOf(body, map)) {
      const attribute = tenant.attributes.get(asText(mapping[field]));
      if (attribute === undefined) return `The attribute ${asText(mapping[field])} does not exist.`;
      const item = tenant.items.get(attribute.catalogItemUrn);
      const joined = map === "connectedMappings";
      columns.push({
        input: asText(inputs.get(asText(mapping["ruleAttributeUrn"]))?.["name"]),
        attribute,
        table: joined && item !== undefined ? tableOf(tenant, item) : table,
        joined,
      });
    }
  }
  return columns.sort((one, other) => compare(one.input, other.input));
}

/** What the instance says, else what the rule says. */
function parametersOf(rule: Rule, body: JsonObject): string {
  const values = new Map<string, Json>();
  for (const [urn, parameter] of ruleParameters(rule)) values.set(urn, parameter["defaultValue"] ?? null);
  for (const [, value] of entriesOf(body, "parameterValues"))
    values.set(asText(value["ruleParameterUrn"]), value["value"] ?? null);
  const names = ruleParameters(rule);
  return [...values]
    .map(([urn, value]) => `${asText(names.get(urn)?.["name"])}=${JSON.stringify(value)}`)
    .sort(compare)
    .join(",");
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
