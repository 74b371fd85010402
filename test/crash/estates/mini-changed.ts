import type { JsonObject, Tenant } from "../../../src/emulator/index.ts";
import { ruleInputs } from "../../../src/emulator/quality/rule-shape.ts";
import { changeMonitor, deleteMonitor, publishMonitor } from "../../../src/emulator/quality/monitors.ts";
import { changeRule, publishRule } from "../../../src/emulator/quality/rules.ts";
import {
  seedDashboard,
  seedMonitor,
  seedPrimaryMonitor,
  seedRule,
  seedTerm,
} from "../../../src/emulator/seed.ts";
import type { Monitor, Rule, Versioned } from "../../../src/emulator/state.ts";
import type { Estate } from "./estate.ts";
import { mini } from "./mini.ts";

/** Patches, publishing, deletes, and creates on top of what is mapped already. */
export const miniChanged: Estate = {
  ...mini,
  name: "mini-changed",
  flags: ["--allow-delete"],
  change(source) {
    const range = rule(source, "Amount in range");
    const [condition] = Object.keys((range["implementation"] as JsonObject)["conditions"] as JsonObject);
    changeRule(source, range.urn, {
      description: "Neither too little nor too much.",
      // A patch that adds a part: sent twice, it would be there twice, and no read shows a draft of a rule.
      parameters: { new_1: { name: "slack", dataType: "DOUBLE" } },
      implementation: { conditions: { [condition ?? ""]: { explanation: "Out of range" } } },
    });
    publishRule(source, range.urn);

    const copy = seedRule(source, { ...structuredClone(renamed(range, "Amount in range, strictly")) });
    const [input] = ruleInputs(copy.value).keys();
    const [, amount] = [...source.attributes.values()].filter(({ name }) =>
      ["ORDER_ID", "AMOUNT"].includes(name),
    );
    const orders = monitor(source, "Orders");
    changeMonitor(source, orders, {
      overallDqThresholds: { new_1: { value: 80, severity: "WARNING" } },
      manualRuleInstances: {
        new_2: {
          ruleUrn: copy.urn,
          enabled: true,
          mappings: { new_3: { catalogItemAttributeUrn: amount?.urn ?? "", ruleAttributeUrn: input ?? "" } },
        },
      },
    });
    publishMonitor(source, monitor(source, "Orders"));

    const catalogItemUrn = orders.published?.catalogItemUrn ?? orders.urn;
    seedPrimaryMonitor(source, catalogItemUrn, {
      schedule: { cronExpression: "0 0 3 * * ?" },
      overallDqThresholds: { stricter: { value: 70, severity: "ERROR" } },
    });
    const strict = seedMonitor(source, {
      catalogItemUrn,
      name: "Orders, strictly",
      manualRuleInstances: {
        one: {
          ruleUrn: copy.urn,
          enabled: true,
          mappings: { one: { catalogItemAttributeUrn: amount?.urn ?? "", ruleAttributeUrn: input ?? "" } },
        },
      },
    });

    const city = [...source.terms.values()].find(({ published }) => published?.name === "City");
    const region = seedTerm(source, { name: "Region", extraProperties: { relatedTerms: [city?.urn ?? ""] } });
    if (city?.published !== undefined) {
      const { published } = city;
      const extraProperties = { ...published.extraProperties, relatedTerms: [region.urn] };
      const changed = { ...published, description: "Where an order goes.", extraProperties };
      source.terms.put({ ...city, published: changed });
    }
    seedDashboard(source, { name: "Strict", dqMonitorUrns: [strict.urn] });
    deleteMonitor(source, monitor(source, "Retired"));
    source.rules.delete(rule(source, "Retired check").urn);
    for (const term of source.terms.values()) {
      if (term.published?.name === "Retired") source.terms.delete(term.urn);
    }
  },
};

function rule(tenant: Tenant, name: string): Rule {
  const found = [...tenant.rules.values()].find(({ published }) => published?.name === name)?.published;
  if (found === undefined) throw new Error(`there is no rule ${name}`);
  return found;
}

function monitor(tenant: Tenant, name: string): Versioned<Monitor> {
  const found = [...tenant.monitors.values()].find(({ published }) => published?.["name"] === name);
  if (found === undefined) throw new Error(`there is no monitor ${name}`);
  return found;
}

/** A body for another rule of the same content: keys and URNs are the first one's own. */
function renamed({ urn: _own, ...body }: Rule, name: string): JsonObject {
  let next = 0;
  const fresh = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fresh);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, field]) => key !== "urn" || typeof field !== "string")
        .map(([key, field]) => [/^[0-9a-f-]{36}$/.test(key) ? `part_${(next += 1)}` : key, fresh(field)]),
    );
  };
  return { ...(fresh(body) as JsonObject), name };
}
