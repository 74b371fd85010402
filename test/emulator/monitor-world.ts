import type { JsonObject } from "../../src/emulator/json.ts";
import type * as seed from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import {
  attributeOf,
  type Estate,
  quality,
  seedEmailRule,
  seedEstate,
  startWorld,
  type World,
} from "./support.ts";

type SeededRule = ReturnType<typeof seed.seedRule>;

export interface MonitorWorld extends World {
  readonly estate: Estate;
  /** The item whose monitors a test works on. */
  readonly item: Urn;
  readonly rule: SeededRule;
  readonly otherRule: SeededRule;
}

export async function monitorWorld(): Promise<MonitorWorld> {
  const world = await startWorld();
  const estate = seedEstate(world.dev);
  return {
    ...world,
    estate,
    item: estate.customers.item.urn,
    rule: seedEmailRule(world.dev, estate),
    otherRule: seedEmailRule(world.dev, estate, "Other"),
  };
}

/** The monitors of the item, or one of them. */
export function path(world: MonitorWorld, monitor?: string): string {
  const all = `${quality}/catalog-items/${world.item}/dq-monitors`;
  return monitor === undefined ? all : `${all}/${monitor}`;
}

/** One rule instance with everything that an instance can have, and the join that it uses. */
export function instanceBody(world: MonitorWorld, fields: JsonObject = {}): JsonObject {
  const { estate, rule } = world;
  return {
    manualRuleInstances: {
      new_i: {
        ruleUrn: rule.urn,
        ruleInstanceName: "Instance",
        enabled: true,
        dqThresholds: { new_t: { value: 50, severity: "WARNING" } },
        mappings: {
          new_m: {
            catalogItemAttributeUrn: attributeOf(estate.customers, "email"),
            ruleAttributeUrn: rule.urns["email"] ?? "",
          },
        },
        connectedMappings: {
          new_cm: {
            connectedCatalogItemAttributeUrn: attributeOf(estate.orders, "total"),
            joinConfigurationKey: "new_j",
          },
        },
        parameterValues: { new_p: { value: ".+@.+", ruleParameterUrn: rule.urns["pattern"] ?? "" } },
        ...fields,
      },
    },
    joinConfigurations: {
      new_j: {
        connectedCatalogItemUrn: estate.orders.item.urn,
        foreignKeyPairs: {
          new_f: {
            localAttributeUrn: attributeOf(estate.customers, "id"),
            connectedAttributeUrn: attributeOf(estate.orders, "customer_id"),
          },
        },
      },
    },
  };
}
