import { registry } from "../../../src/kinds/index.ts";
import type { MovedKind } from "../../../src/kinds/kind.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Table } from "./table.ts";
import type { Sort } from "./tables.ts";

/** Every kind that is moved, with parts and references where it has them (documents 1 and 2). */

function kindOf(name: string): MovedKind {
  const kind = registry.movedKind(name);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  return kind;
}

export const terms: Sort = {
  kind: kindOf("terms"),
  urn: (side, label) => side.urn("catalog:term", label),
  body: (_side, _label, name, mark) => ({
    type: "businessTerm",
    name,
    description: mark ?? `What ${name} means`,
    extraProperties: {},
  }),
};

export const folders: Sort = {
  kind: kindOf("folders"),
  urn: (side, label) => side.urn("catalog:folder", label),
  body: (side, _label, name, mark) => ({
    name,
    description: mark ?? `What is in ${name}`,
    parentUrn: side.given("catalog:source", "Snowflake"),
    extraProperties: {},
  }),
};

/** One input, one parameter, one condition. */
export const rules: Sort = {
  kind: kindOf("rules"),
  urn: (side, label) => side.urn("data-quality:rule", label),
  body: (side, label, name, mark) => ({
    name,
    description: mark ?? `Checks ${name}`,
    inputGroups: {
      [side.key(`group of ${label}`)]: {
        joined: false,
        inputs: {
          ...part(side, "rule-attribute", `email of ${label}`, { name: "email", dataType: "STRING" }),
        },
      },
    },
    parameters: {
      ...part(side, "rule-parameter", `pattern of ${label}`, { name: "pattern", dataType: "STRING" }),
    },
    implementation: {
      dqDimensionUrn: side.given("data-quality:dq-dimension", "Validity"),
      conditions: {
        [side.key(`condition of ${label}`)]: {
          stringExpression: "email is null",
          resultUrn: side.given("data-quality:dq-dimension-result", "Validity: Invalid"),
        },
      },
    },
  }),
};

/** A part under its key, with the URN that others name it by. */
function part(side: Table, type: string, label: string, body: JsonObject): JsonObject {
  const key = side.key(label);
  return { [key]: { ...body, urn: `urn:data:${side.tenant}:data-quality:${type}:${key}` } };
}

function partUrn(side: Table, type: string, label: string): Urn {
  return `urn:data:${side.tenant}:data-quality:${type}:${side.key(label)}` as Urn;
}

/** What a monitor of either kind says where somebody turned its samples on. */
function samples(mark: string | undefined): JsonObject {
  return mark === undefined
    ? {}
    : { invalidSamplesConfiguration: { enabled: true, sampleSize: mark.length } };
}

/** A schedule, a threshold, and one instance of the rule Email. */
export const monitors: Sort = {
  kind: kindOf("monitors"),
  urn: (side, label) => side.urn("data-quality:dq-monitor", label),
  body: (side, label, name, mark) => ({
    catalogItemUrn: side.given("catalog:catalog-item", "CUSTOMER"),
    name,
    schedule: { cronExpression: "0 0 6 * * ?", enabled: true, timeZone: "UTC" },
    manualRuleInstances: {
      [side.key(`instance of ${label}`)]: {
        ruleUrn: rules.urn(side, "Email"),
        ruleInstanceName: "Email",
        enabled: true,
        dqThresholds: { [side.key(`limit of ${label}`)]: { value: 80, severity: "WARNING" } },
        mappings: {
          [side.key(`input of ${label}`)]: {
            catalogItemAttributeUrn: side.given("catalog:catalog-attribute", "EMAIL"),
            ruleAttributeUrn: partUrn(side, "rule-attribute", "email of Email"),
          },
        },
        parameterValues: {
          [side.key(`value of ${label}`)]: {
            value: ".+@.+",
            ruleParameterUrn: partUrn(side, "rule-parameter", "pattern of Email"),
          },
        },
      },
    },
    overallDqThresholds: { [side.key(`overall limit of ${label}`)]: { value: 90, severity: "WARNING" } },
    ...samples(mark),
  }),
};

/** The label is the item's, which gives the monitor its name. */
export const primaries: Sort = {
  kind: kindOf("primary-monitors"),
  urn: (side, label) => side.urn("data-quality:dq-monitor", label),
  body: (side, label, _name, mark) => ({
    catalogItemUrn: side.given("catalog:catalog-item", label),
    schedule: { cronExpression: "0 0 5 * * ?", enabled: true, timeZone: "UTC" },
    ...samples(mark),
  }),
};

/** Over primary monitors: every item has one on both sides. */
export const dashboards: Sort = {
  kind: kindOf("dashboards"),
  urn: (side, label) => side.urn("data-quality:dq-dashboard", label),
  body: (side, _label, name, mark) => ({
    name,
    description: mark ?? `Shows ${name}`,
    dqMonitorUrns: [side.given("data-quality:dq-monitor", "CUSTOMER (primary)")],
  }),
};

/** The label is the attribute's; a mark is another term that a person assigned in place of the first one. */
export const termAssignments: Sort = {
  kind: kindOf("term-assignments"),
  urn: (side, label) => side.given("catalog:catalog-attribute", label),
  body: (side, label, _name, mark) => ({
    attributeUrn: side.given("catalog:catalog-attribute", label),
    termUrns: [terms.urn(side, mark ?? "E-mail")],
  }),
};

/** In the folder Views, on the connection that all have. */
export const sqlItems: Sort = {
  kind: kindOf("sql-items"),
  urn: (side, label) => side.urn("catalog:catalog-item", `SQL item ${label}`),
  body: (side, _label, name, mark) => ({
    name,
    description: mark ?? `What ${name} shows`,
    connectionUrn: side.given("processing:connection", "Warehouse"),
    folderUrn: folders.urn(side, "Views"),
    query: "select 1",
    aliases: [{ type: "VENDOR_ASSET_ID", value: name }],
    extraProperties: { explainedBy: [terms.urn(side, "Explained")] },
  }),
};

export const entities: Sort = {
  kind: kindOf("entities"),
  urn: (side, label) => side.urn("catalog:data-product", label),
  body: (side, _label, name, mark) => ({
    concreteType: "dataProduct",
    parentProperty: "dataProducts",
    properties: {
      name,
      description: mark ?? `What ${name} promises`,
      tier: 1,
      domain: terms.urn(side, "Explained"),
      items: [side.given("catalog:catalog-item", "CUSTOMER")],
    },
  }),
};

/** The label is the item's or the attribute's, and so is the URN. */
export const itemMetadata: Sort = {
  kind: kindOf("item-metadata"),
  urn: (side, label) => side.given("catalog:catalog-item", label),
  body: (side, label, _name, mark) => ({
    itemUrn: side.given("catalog:catalog-item", label),
    description: mark ?? `What ${label} holds`,
    aliases: [{ type: "VENDOR_ASSET_ID", value: label }],
    extraProperties: { freshnessHours: 4 },
  }),
};

export const attributeMetadata: Sort = {
  kind: kindOf("attribute-metadata"),
  urn: (side, label) => side.given("catalog:catalog-attribute", label),
  body: (side, label, _name, mark) => ({
    attributeUrn: side.given("catalog:catalog-attribute", label),
    description: mark ?? `What ${label} says`,
    extraProperties: { sensitive: true },
  }),
};

/** A mark is another group that answers for the item. */
export const stewardship: Sort = {
  kind: kindOf("stewardship"),
  urn: (side, label) => side.given("catalog:catalog-item", label),
  body: (side, label, _name, mark) => ({
    entityUrn: side.given("catalog:catalog-item", label),
    groupUrn: side.given("iam:group", mark ?? "Data stewards"),
  }),
};

/** The label is the attribute's; a mark is another term that is denied in place of the first one. */
export const termDenylist: Sort = { ...termAssignments, kind: kindOf("term-denylist") };
