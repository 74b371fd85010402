import { onTestFinished } from "vitest";
import type { Tenant } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import { changeMonitor, publishMonitor } from "../../../src/emulator/quality/monitors.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { CatalogItem } from "../../../src/emulator/state.ts";
import type { ParityPair } from "../../../src/model/parity.ts";
import type { Result } from "../../../src/model/result.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { ParityPlanOptions } from "../../../src/operations/parity.ts";
import { parityPlan } from "../../../src/operations/parity.ts";
import type { PlanChanges, World } from "../../support/world.ts";
import { world } from "../../support/world.ts";
import { isToken, run } from "../support.ts";

/** A monitor of the item CUSTOMER with one rule on one column, moved to the target. */
export interface Moved {
  readonly world: World;
  readonly dev: Tenant;
  readonly prod: Tenant;
  readonly source: Urn;
  readonly target: Urn;
  readonly items: { readonly dev: CatalogItem; readonly prod: CatalogItem };
  readonly parity: (options?: ParityPlanOptions) => Promise<Result>;
  /** The one pair of monitors that people made. */
  readonly pair: (options?: ParityPlanOptions) => Promise<ParityPair & { readonly exitCode: number }>;
  /** Both sides run, over these shares of empty cells. */
  readonly runBoth: (dev?: number, prod?: number, rows?: number) => void;
}

export const column = "EMAIL";
const selected: PlanChanges = { select: { kinds: ["rules", "monitors"] } };

export function itemOf(tenant: Tenant, name = "CUSTOMER"): CatalogItem {
  const item = [...tenant.items.values()].find((candidate) => candidate.name === name);
  if (item === undefined) throw new Error(`${tenant.name} has no item ${name}`);
  return item;
}

export function attributeUrn(tenant: Tenant, name = column): Urn {
  const found = tenant.attributes
    .valuesIn(`item:${itemOf(tenant).urn}`)
    .find((attribute) => attribute.name === name);
  if (found === undefined) throw new Error(`${tenant.name} has no attribute ${name}`);
  return found.urn;
}

function dimension(tenant: Tenant, name: string): { urn: Urn; results: Map<string, Urn> } {
  const found = [...tenant.dimensions.values()].find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`${tenant.name} has no dimension ${name}`);
  return { urn: found.urn, results: new Map(found.results.map((result) => [result.name, result.urn])) };
}

/** It asks for empty cells, so that a test says how many fail. */
export function seedPresent(dev: Tenant, name = "Is present"): seed.Seeded<{ urn: Urn }> {
  const { urn: dqDimensionUrn, results } = dimension(dev, "Completeness");
  return seed.seedRule(dev, {
    name,
    inputGroups: { main: { joined: false, inputs: { value: { name: "value", dataType: "STRING" } } } },
    parameters: { limit: { name: "limit", dataType: "LONG" } },
    implementation: {
      dqDimensionUrn,
      conditions: {
        empty: {
          stringExpression: "value is null",
          resultUrn: results.get("Not Complete") ?? "",
          explanation: "Value is missing",
        },
      },
      otherwiseResultUrn: results.get("Complete") ?? "",
    },
  });
}

export function monitorBody(dev: Tenant, rule: seed.Seeded<{ urn: Urn }>): JsonObject {
  return {
    manualRuleInstances: {
      one: {
        ruleUrn: rule.urn,
        ruleInstanceName: "E-mail is there",
        enabled: true,
        mappings: {
          m: { catalogItemAttributeUrn: attributeUrn(dev), ruleAttributeUrn: rule.urns["value"] ?? "" },
        },
        parameterValues: { p: { value: 10, ruleParameterUrn: rule.urns["limit"] ?? "" } },
        dqThresholds: { t: { value: 95, severity: "ERROR" } },
      },
    },
    overallDqThresholds: { o: { value: 90, severity: "WARNING" } },
    invalidSamplesConfiguration: { enabled: true, sampleSize: 20 },
  };
}

export async function moved(
  changes: PlanChanges = selected,
  prepare?: (dev: Tenant) => void,
): Promise<Moved> {
  const there = await world("empty", { kept: "memory" });
  onTestFinished(() => there.close());
  const [dev, prod] = [there.emulator.tenant("dev"), there.emulator.tenant("prod")];
  const rule = seedPresent(dev);
  const catalogItemUrn = itemOf(dev).urn;
  seed.seedMonitor(dev, { ...monitorBody(dev, rule), catalogItemUrn, name: "Customers" });
  prepare?.(dev);
  await run(there, changes);
  there.emulator.log.clear();
  const urnOf = (tenant: Tenant): Urn => {
    const found = [...tenant.monitors.values()].find(({ published }) => published?.["name"] === "Customers");
    if (found === undefined) throw new Error(`${tenant.name} has no monitor Customers`);
    return found.urn;
  };
  const [source, target] = [urnOf(dev), urnOf(prod)];
  const items = { dev: itemOf(dev), prod: itemOf(prod) };
  const parity = async (options: ParityPlanOptions = {}): Promise<Result> => {
    const migration = there.migration(changes);
    try {
      return await parityPlan(migration, options);
    } finally {
      await migration.close();
    }
  };
  return {
    world: there,
    dev,
    prod,
    source,
    target,
    items,
    parity,
    pair: async (options) => {
      const result = await parity(options);
      const found = result.parity?.find((pair) => pair.source.urn === source);
      if (found === undefined) throw new Error("the pair is not in the result");
      return { ...found, exitCode: result.exitCode };
    },
    runBoth: (fromDev = 0.1, fromProd = fromDev, rows = 200) => {
      seed.seedTable(dev, items.dev.urn, { rows, empty: { [column]: fromDev } });
      seed.seedTable(prod, items.prod.urn, { rows, empty: { [column]: fromProd } });
      seed.seedRun(dev, source);
      seed.seedRun(prod, target);
    },
  };
}

/** As somebody changes and publishes it in the web application. */
export function changeAt(tenant: Tenant, monitor: Urn, body: JsonObject): void {
  const row = tenant.monitors.get(monitor);
  if (row === undefined) throw new Error(`${tenant.name} has no monitor ${monitor}`);
  publishMonitor(tenant, changeMonitor(tenant, row, body).row);
}

/** The only one under a key of the monitor's body. */
export function keyIn(tenant: Tenant, monitor: Urn, ...path: readonly string[]): string {
  let found: JsonObject = tenant.monitors.get(monitor)?.published ?? {};
  for (const step of path) found = (found[step] ?? {}) as JsonObject;
  const [key] = Object.keys(found);
  if (key === undefined) throw new Error(`nothing stands at ${path.join("/")}`);
  return key;
}

/** All that arrived but tokens, by route. */
export function requestsOf({ world: there }: Moved, tenant: string): readonly string[] {
  return there.emulator.log.entries
    .filter((entry) => entry.tenant === tenant && !isToken(entry))
    .map(({ route }) => route);
}
