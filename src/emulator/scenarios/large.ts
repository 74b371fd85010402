import type { Urn } from "../../model/urn.ts";
import type { Monitor, Rule } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { buildEstate, type Estate, type PlacedItem, wanted } from "./build/estate.ts";
import { buildTerms } from "./build/glossary.ts";
import { buildDashboard } from "./build/monitors.ts";
import type { GivenSpec, ItemSpec, TermSpec } from "./build/spec.ts";
import { given } from "./demo/given.ts";

const attributesPerItem = 10;
const monitorsPerDashboard = 10;

/**
 * `size` rules and as many monitors, half as many terms, over few items, every other column described: the cost
 * of size and nothing else.
 * Rules and monitors are stored as the interface would have stored them, without its checks: a hundred
 * thousand take seconds.
 */
export function prepareLarge(source: Tenant, target: Tenant, size: number): void {
  const itemCount = Math.max(20, Math.floor(size / 50));
  const estateSpec: GivenSpec = {
    ...given,
    items: Array.from({ length: itemCount }, (_, index) => item(index)),
  };
  const estate = buildEstate(source, "source", estateSpec);
  buildTerms(
    estate,
    Array.from({ length: Math.floor(size / 2) }, (_, index) => term(index)),
  );
  const rules = Array.from({ length: size }, (_, index) => putRule(estate, index));
  const items = [...estate.items.values()].map((item) => ({ item, columns: [...item.attributes.values()] }));
  const monitors = new Map<string, Urn>();
  for (const [index, rule] of rules.entries()) {
    const place = items[index % itemCount];
    // Each round over the items takes the next column.
    const column = place?.columns[Math.floor(index / itemCount) % attributesPerItem];
    if (place === undefined || column === undefined) continue;
    monitors.set(`${index}`, putMonitor(estate.tenant, index, rule, place.item, column));
  }
  buildDashboards(estate, monitors, size);
  describeColumns(source);
  buildEstate(target, "target", estateSpec);
}

function buildDashboards(estate: Estate, monitors: ReadonlyMap<string, Urn>, size: number): void {
  const count = Math.min(200, Math.floor(size / 10));
  for (let index = 0; index < count; index += 1) {
    const first = index * monitorsPerDashboard;
    const shown = Array.from({ length: monitorsPerDashboard }, (_, offset) => `${first + offset}`);
    buildDashboard(estate, monitors, { name: `Dashboard ${index + 1}`, monitors: shown });
  }
}

/** Every other column has a description, and every fifth says more. */
function describeColumns(tenant: Tenant): void {
  for (const [index, attribute] of [...tenant.attributes.values()].entries()) {
    if (index % 2 === 0) continue;
    const description = `What ${attribute.name} means.`;
    const extraProperties = index % 5 === 0 ? { businessName: `Field ${index}`, sensitive: true } : {};
    tenant.attributes.put({ ...attribute, description, extraProperties });
  }
}

function item(index: number): ItemSpec {
  const name = `TABLE_${index + 1}`;
  return {
    key: name,
    name,
    source: "warehouse",
    connection: "warehouse",
    locations: ["DEV_BULK", `SCHEMA_${(index % 20) + 1}`],
    attributes: Array.from({ length: attributesPerItem }, (_, column) => ({
      name: `COLUMN_${column + 1}`,
      dataType: "STRING",
      columnType: "varchar(80)",
    })),
  };
}

function term(index: number): TermSpec {
  return {
    key: `${index}`,
    type: "businessTerm",
    name: `Term ${index + 1}`,
    description: `What term ${index + 1} means.`,
    // Every tenth term belongs to the one before it.
    ...(index % 10 === 9 && { partOf: `${index - 1}` }),
  };
}

interface PutRule {
  readonly urn: Urn;
  readonly inputUrn: Urn;
}

function putRule({ tenant, dimensions }: Estate, index: number): PutRule {
  const validity = wanted(dimensions, "Validity");
  const inputKey = tenant.newUuid();
  const inputUrn = tenant.urnFor("data-quality:rule-attribute", inputKey);
  const published: Rule = {
    urn: tenant.newUrn("data-quality:rule"),
    name: `Rule ${index + 1}`,
    inputGroups: {
      [tenant.newUuid()]: {
        joined: false,
        inputs: { [inputKey]: { urn: inputUrn, name: "value", dataType: "STRING" } },
      },
    },
    implementation: {
      dqDimensionUrn: validity.urn,
      conditions: {
        [tenant.newUuid()]: {
          stringExpression: `length(value) > ${(index % 200) + 1}`,
          resultUrn: wanted(validity.results, "Invalid"),
          explanation: "Too long",
        },
      },
    },
  };
  tenant.rules.put({ urn: published.urn, published, draftType: "NONE" });
  return { urn: published.urn, inputUrn };
}

function putMonitor(tenant: Tenant, index: number, rule: PutRule, item: PlacedItem, column: Urn): Urn {
  const instanceKey = tenant.newUuid();
  const thresholdKey = tenant.newUuid();
  const published: Monitor = {
    urn: tenant.newUrn("data-quality:dq-monitor"),
    catalogItemUrn: item.urn,
    name: `Monitor ${index + 1}`,
    manualRuleInstances: {
      [instanceKey]: {
        ruleInstanceUrn: tenant.urnFor("data-quality:rule-instance", instanceKey),
        ruleUrn: rule.urn,
        enabled: true,
        mappings: {
          [tenant.newUuid()]: {
            catalogItemAttributeUrn: column,
            ruleAttributeUrn: rule.inputUrn,
          },
        },
      },
    },
    overallDqThresholds: {
      [thresholdKey]: {
        urn: tenant.urnFor("data-quality:dq-threshold", thresholdKey),
        value: 90 + (index % 10),
        severity: "WARNING",
      },
    },
  };
  tenant.monitors.put({ urn: published.urn, published, draftType: "NONE" });
  return published.urn;
}
