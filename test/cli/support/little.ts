import type { Tenant } from "../../../src/emulator/index.ts";
import { seedDashboard, seedMonitor, seedRule, seedTerm } from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";

export interface Little {
  readonly terms: { readonly customer: Urn; readonly order: Urn };
  readonly rule: Urn;
  readonly monitor: Urn;
  readonly dashboard: Urn;
}

/** One of each kind that a plan moves without being asked (two terms), over the things of the scenario `empty`. */
export function furnish(tenant: Tenant): Little {
  const customer = seedTerm(tenant, { name: "Customer", description: "Who buys." });
  const order = seedTerm(tenant, { name: "Order", description: "What is bought." });
  const rule = seedFilledRule(tenant, "Email is filled");
  const { item, attribute } = somewhere(tenant);
  const monitor = seedMonitor(tenant, {
    catalogItemUrn: item,
    name: "Customers",
    description: "Watches the customers.",
    manualRuleInstances: {
      filled: {
        ruleUrn: rule.urn,
        enabled: true,
        mappings: { one: { ruleAttributeUrn: rule.input, catalogItemAttributeUrn: attribute } },
      },
    },
  });
  const dashboard = seedDashboard(tenant, { name: "Board", dqMonitorUrns: [monitor.urn] });
  return {
    terms: { customer: customer.urn, order: order.urn },
    rule: rule.urn,
    monitor: monitor.urn,
    dashboard: dashboard.urn,
  };
}

export function seedFilledRule(tenant: Tenant, name: string): { readonly urn: Urn; readonly input: string } {
  const [dimension] = [...tenant.dimensions.values()];
  const result = dimension?.results.find(({ passedOverallResult }) => !passedOverallResult);
  if (dimension === undefined || result === undefined) throw new Error("the scenario has no dimension");
  const rule = seedRule(tenant, {
    name,
    inputGroups: { main: { joined: false, inputs: { value: { name: "value", dataType: "STRING" } } } },
    implementation: {
      dqDimensionUrn: dimension.urn,
      conditions: { empty: { stringExpression: "value is null", resultUrn: result.urn } },
    },
  });
  return { urn: rule.urn, input: rule.urns["value"] ?? "" };
}

function somewhere(tenant: Tenant): { readonly item: Urn; readonly attribute: Urn } {
  for (const { urn } of tenant.items.values()) {
    const attribute = tenant.attributes.valuesIn(`item:${urn}`).find(({ dataType }) => dataType === "STRING");
    if (attribute !== undefined) return { item: urn, attribute: attribute.urn };
  }
  throw new Error("the scenario has no attribute");
}
