import { child, type JsonObject } from "../../../src/emulator/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Surroundings } from "../../support/world.ts";
import { seedMonitor, seedRule } from "./content.ts";
import { apply, type Stage, stage, twinOf } from "./run.ts";
import { keyOf, onlyKey, type Side } from "./side.ts";

export const plan = { select: { kinds: ["rules", "monitors"] } };

export const address = "catalog-items/:item/dq-monitors/:monitor";

/** The two steps of an update. */
export const update = [`PATCH ${address}`, `POST ${address}/publish`];

/** A monitor that was moved, with its rule. */
export interface MovedMonitor {
  readonly at: Stage;
  readonly rule: Urn;
  readonly urn: Urn;
  readonly twin: Urn;
}

/** CUSTOMER joined with SALES_ORDER; the second mapping of the instance is one onto the joined item. */
export function joined(side: Side): JsonObject {
  return {
    joinConfigurations: {
      orders: {
        connectedCatalogItemUrn: side.item("SALES_ORDER"),
        foreignKeyPairs: {
          id: {
            localAttributeUrn: side.attribute("CUSTOMER", "CUSTOMER_ID"),
            connectedAttributeUrn: side.attribute("SALES_ORDER", "CUSTOMER_ID"),
          },
        },
      },
    },
    exportDefinitions: {
      file: { name: "Invalid rows", type: "INVALID_RECORDS", format: "CSV", enabled: true },
    },
  };
}

export async function movedMonitor(
  more: (side: Side) => JsonObject = joined,
  surroundings: Surroundings = {},
): Promise<MovedMonitor> {
  const at = await stage(surroundings);
  const rule = seedRule(at.source, "Email");
  const urn = seedMonitor(at.source, rule, "Customers", more(at.source));
  await apply(at, plan);
  return { at, rule, urn, twin: (await twinOf(at, urn)) as Urn };
}

/** The keys of a monitor's parts on one side. */
export interface Keys {
  readonly instance: string;
  readonly threshold: string;
  readonly mapping: string;
  readonly parameter: string;
  readonly overall: string;
  readonly join: string;
  readonly pair: string;
  readonly file: string;
}

export function keysOf(side: Side, urn: string): Keys {
  const body = side.body(urn);
  const instance = keyOf(body["manualRuleInstances"], "ruleInstanceName", "Email");
  const parts = child(child(body, "manualRuleInstances"), instance);
  const join = onlyKey(body["joinConfigurations"]);
  return {
    instance,
    threshold: keyOf(parts["dqThresholds"], "severity", "WARNING"),
    mapping: onlyKey(parts["mappings"]),
    parameter: onlyKey(parts["parameterValues"]),
    overall: keyOf(body["overallDqThresholds"], "severity", "WARNING"),
    join,
    pair: onlyKey(child(child(body, "joinConfigurations"), join)["foreignKeyPairs"]),
    file: onlyKey(body["exportDefinitions"]),
  };
}
