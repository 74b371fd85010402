import * as fc from "fast-check";
import type { Tenant } from "../../../src/emulator/index.ts";
import { asText, type JsonObject } from "../../../src/emulator/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { isUuid } from "../../../src/model/urn.ts";
import { Side } from "../../diff/support/side.ts";
import * as web from "../../diff/support/web.ts";
import type { Given } from "./given.ts";
import { published } from "./published.ts";
import { pick } from "./seeding.ts";

/** What a person does to one object of one side in the web application. */
export interface Edit {
  readonly side: "source" | "target";
  readonly kind: "terms" | "rules" | "monitors" | "primary-monitors" | "dashboards";
  readonly object: number;
  readonly how: "text" | "more" | "less" | "remove";
  readonly value: number;
}

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    side: fc.constantFrom("source" as const, "source" as const, "target" as const),
    kind: fc.constantFrom("terms", "rules", "monitors", "primary-monitors", "dashboards"),
    object: fc.nat({ max: 7 }),
    how: fc.constantFrom("text", "text", "more", "more", "less", "remove"),
    value: fc.nat({ max: 99 }),
  }),
  { maxLength: 6 },
);

export function edit(tenant: Tenant, given: Given, { kind, object, how, value }: Edit): void {
  const urns = [...published(tenant)].filter(([, found]) => found.kind === kind).map(([urn]) => urn as Urn);
  if (urns.length === 0) return;
  const urn = pick(urns, object);
  const side = new Side(tenant);
  const change = (): JsonObject => changes[kind][how](side.body(urn), tenant, given, value);
  switch (kind) {
    case "terms":
      if (how === "remove") web.removeTerm(side, urn);
      else web.editTerm(side, urn, change());
      return;
    case "rules":
      if (how === "remove") web.removeRule(side, urn);
      else web.editRule(side, urn, change());
      return;
    case "monitors":
      if (how === "remove") web.removeMonitor(side, urn);
      else web.editMonitor(side, urn, change());
      return;
    case "primary-monitors":
      web.editMonitor(side, urn, change());
      return;
    case "dashboards":
      if (how === "remove") web.removeDashboard(side, urn);
      else web.editDashboard(side, urn, change());
  }
}

type Change = (body: JsonObject, tenant: Tenant, given: Given, value: number) => JsonObject;
type Changes = Readonly<Record<Edit["how"], Change>>;

const monitor: Changes = {
  text: (_body, _tenant, _given, value) => ({
    schedule: { cronExpression: `0 ${value % 60} 6 * * ?`, enabled: value % 2 === 0, timeZone: "UTC" },
  }),
  more(body, tenant, given, value) {
    const rules = [...tenant.rules.values()].flatMap((row) =>
      row.published === undefined ? [] : [row.published],
    );
    const item = [0, 1, 2, 3, 4, 5].find((index) => given.item(index) === body["catalogItemUrn"]) ?? 0;
    const threshold = { overallDqThresholds: { added: { value, severity: "WARNING" } } };
    if (rules.length === 0 || value % 3 === 0) return threshold;
    const rule = pick(rules, value);
    const input = Object.values(inputs(rule))[0];
    const connected = {
      connectedCatalogItemAttributeUrn: given.attribute(value, 0),
      ruleAttributeUrn: input ?? "",
      joinConfigurationKey: "joined",
    };
    const instance = {
      ruleUrn: rule.urn,
      enabled: true,
      mappings: {
        mapped: { catalogItemAttributeUrn: given.attribute(item, value), ruleAttributeUrn: input ?? "" },
      },
      ...(value % 2 === 0 ? { connectedMappings: { linked: connected } } : {}),
    };
    const pair = {
      localAttributeUrn: given.attribute(item, 1),
      connectedAttributeUrn: given.attribute(value, 1),
    };
    const join = { connectedCatalogItemUrn: given.item(value), foreignKeyPairs: { pair } };
    return {
      ...threshold,
      manualRuleInstances: { added: instance },
      ...(value % 2 === 0 ? { joinConfigurations: { joined: join } } : {}),
    };
  },
  less(body, _tenant, _given, value) {
    const instance = keyIn(body, "manualRuleInstances", value);
    const threshold = keyIn(body, "overallDqThresholds", value);
    const definition = keyIn(body, "exportDefinitions", value);
    return {
      ...(instance === undefined ? {} : { manualRuleInstances: { [instance]: null } }),
      ...(threshold === undefined ? {} : { overallDqThresholds: { [threshold]: { value: value / 2 } } }),
      ...(definition === undefined ? {} : { exportDefinitions: { [definition]: null } }),
    };
  },
  remove: () => ({ schedule: null }),
};

const changes: Readonly<Record<Edit["kind"], Changes>> = {
  terms: {
    text: (_body, _tenant, _given, value) => ({ description: `edited ${value}` }),
    more(_body, tenant, given, value) {
      const term = pick([...tenant.terms.values()], value).urn;
      const detection = { detectionRuleUrn: given.detectionRule(value), threshold: value };
      return {
        extraProperties: { owner: `owner ${value}`, related: [term], broader: term },
        detectionRules: { operator: "AND", ruleAssignments: [detection] },
      };
    },
    less: (_body, _tenant, _given, value) => ({
      extraProperties: { owner: null, related: [] },
      ...(value % 2 === 0 ? { description: null } : {}),
    }),
    remove: () => ({}),
  },
  rules: {
    text: (_body, _tenant, _given, value) => ({ description: `edited ${value}` }),
    more: (body, _tenant, _given, value) => ({
      parameters: { added: { name: `parameter ${value}`, dataType: "STRING" } },
      inputGroups: {
        [keyIn(body, "inputGroups", value) ?? ""]: {
          inputs: { added: { name: `input ${value}`, dataType: "STRING" } },
        },
      },
    }),
    less(body, _tenant, _given, value) {
      const parameter = keyIn(body, "parameters", value);
      return {
        description: null,
        ...(parameter === undefined ? {} : { parameters: { [parameter]: { name: `renamed ${value}` } } }),
      };
    },
    remove: () => ({}),
  },
  monitors: monitor,
  "primary-monitors": monitor,
  dashboards: {
    text: (_body, _tenant, _given, value) => ({ description: `edited ${value}` }),
    more: (_body, _tenant, given, value) => ({
      dqMonitorUrns: [given.primary(value), given.primary(value + 1)],
    }),
    less: () => ({ dqMonitorUrns: [] }),
    remove: () => ({}),
  },
};

/** URNs of the inputs of a rule, by key. */
function inputs(rule: JsonObject): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const group of Object.values(object(rule["inputGroups"]))) {
    for (const [key, input] of Object.entries(object(object(group)["inputs"])))
      found[key] = asText(object(input)["urn"] ?? null);
  }
  return found;
}

function keyIn(body: JsonObject, map: string, value: number): string | undefined {
  const keys = Object.keys(object(body[map])).filter(isUuid);
  return keys[value % Math.max(1, keys.length)];
}

function object(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
