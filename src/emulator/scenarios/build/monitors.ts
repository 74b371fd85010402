import type { Urn } from "../../../model/urn.ts";
import { compact, type Json, type JsonObject } from "../../json.ts";
import { seedDashboard, seedMonitor, seedPrimaryMonitor, type SeedState } from "../../seed.ts";
import { type Estate, type PlacedItem, wanted } from "./estate.ts";
import { keyed, type PlacedRule } from "./rules.ts";
import type { DashboardSpec, MonitorSpec, RuleUseSpec, ThresholdSpec } from "./spec.ts";

/** The body of a monitor, its parts under keys of their own (document 2, "Data-quality monitor"). */
function monitorBody(
  estate: Estate,
  rules: ReadonlyMap<string, PlacedRule>,
  spec: Omit<MonitorSpec, "name"> & { readonly name?: string },
): JsonObject {
  const item = wanted(estate.items, spec.item);
  const joins = spec.joins ?? [];
  const joinKeys = new Map(joins.map((join, index) => [join.item, `join_${index}`]));
  const instances = spec.rules.map((use, index) =>
    instance(estate, item, wanted(rules, use.rule), use, joinKeys, index),
  );
  return compact({
    name: spec.name,
    schedule: spec.schedule && scheduleBody(spec.schedule),
    profilingConfiguration:
      spec.profiling &&
      compact({
        enabled: spec.profiling.enabled ?? true,
        type: spec.profiling.type,
        sampleLimitCount: spec.profiling.limit,
      }),
    anomalyDetectionConfiguration: spec.anomalies === undefined ? undefined : { enabled: spec.anomalies },
    invalidSamplesConfiguration:
      spec.samples === undefined ? undefined : { enabled: true, sampleSize: spec.samples },
    manualRuleInstances: keyed("instance", instances),
    exportDefinitions:
      spec.exports &&
      keyed(
        "export",
        spec.exports.map(({ name, format, enabled, connection }) => {
          const connectionUrn = connection === undefined ? undefined : wanted(estate.connections, connection);
          return compact({ name, type: "INVALID_RECORDS", format, enabled, connectionUrn });
        }),
      ),
    joinConfigurations:
      spec.joins &&
      keyed(
        "join",
        joins.map((join, index) => joinBody(estate, item, join, index)),
      ),
    overallDqThresholds: spec.thresholds && thresholdsBody("overall", spec.thresholds),
  });
}

function scheduleBody({ cron, ...schedule }: NonNullable<MonitorSpec["schedule"]>): JsonObject {
  return compact({ cronExpression: cron, ...schedule });
}

function joinBody(
  estate: Estate,
  item: PlacedItem,
  join: NonNullable<MonitorSpec["joins"]>[number],
  index: number,
): JsonObject {
  const connected = wanted(estate.items, join.item);
  const pairs = join.keys.map(([local, other]) => ({
    localAttributeUrn: wanted(item.attributes, local),
    connectedAttributeUrn: wanted(connected.attributes, other),
  }));
  return { connectedCatalogItemUrn: connected.urn, foreignKeyPairs: keyed(`pair_${index}`, pairs) };
}

function instance(
  estate: Estate,
  item: PlacedItem,
  rule: PlacedRule,
  use: RuleUseSpec,
  joinKeys: ReadonlyMap<string, string>,
  index: number,
): JsonObject {
  const mappings = Object.entries(use.on).map(([input, attribute]) => ({
    catalogItemAttributeUrn: wanted(item.attributes, attribute),
    ruleAttributeUrn: wanted(rule.inputs, input),
  }));
  const parameters = Object.entries(use.parameters ?? {}).map(([name, value]) => ({
    value: value as Json,
    ruleParameterUrn: wanted(rule.parameters, name),
  }));
  return compact({
    ruleUrn: rule.urn,
    ruleInstanceName: use.name,
    enabled: use.enabled ?? true,
    mappings: keyed(`mapping_${index}`, mappings),
    connectedMappings: use.across && connectedMappings(estate, rule, use.across, joinKeys, index),
    parameterValues: use.parameters && keyed(`value_${index}`, parameters),
    dqThresholds: use.thresholds && thresholdsBody(`${index}`, use.thresholds),
  });
}

function connectedMappings(
  estate: Estate,
  rule: PlacedRule,
  across: NonNullable<RuleUseSpec["across"]>,
  joinKeys: ReadonlyMap<string, string>,
  index: number,
): JsonObject {
  const connected = wanted(estate.items, across.item);
  const mappings = Object.entries(across.on).map(([input, attribute]) => ({
    connectedCatalogItemAttributeUrn: wanted(connected.attributes, attribute),
    joinConfigurationKey: wanted(joinKeys, across.item),
    ruleAttributeUrn: wanted(rule.inputs, input),
  }));
  return keyed(`connected_${index}`, mappings);
}

function thresholdsBody(prefix: string, thresholds: readonly ThresholdSpec[]): JsonObject {
  return keyed(
    `threshold_${prefix}`,
    thresholds.map(({ value, severity }) => compact({ value, severity })),
  );
}

/** Monitors by `item key/name`; `item key/primary` for the primary ones. */
export function monitorUrns(estate: Estate): Map<string, Urn> {
  return new Map([...estate.items].map(([key, item]) => [`${key}/primary`, item.primaryMonitorUrn]));
}

/** A monitor of an item; answers its URN. */
export function buildMonitor(
  estate: Estate,
  rules: ReadonlyMap<string, PlacedRule>,
  spec: MonitorSpec,
  state: SeedState = "PUBLISHED",
): Urn {
  const catalogItemUrn = wanted(estate.items, spec.item).urn;
  return seedMonitor(estate.tenant, { ...monitorBody(estate, rules, spec), catalogItemUrn }, state).urn;
}

/** Lays a configuration over the primary monitor that every item has, and publishes it. */
export function configurePrimary(
  estate: Estate,
  rules: ReadonlyMap<string, PlacedRule>,
  spec: Omit<MonitorSpec, "name">,
): void {
  seedPrimaryMonitor(estate.tenant, wanted(estate.items, spec.item).urn, monitorBody(estate, rules, spec));
}

export function buildDashboard(
  estate: Estate,
  monitors: ReadonlyMap<string, Urn>,
  spec: DashboardSpec,
): void {
  const dqMonitorUrns = spec.monitors.map((key) => wanted(monitors, key));
  seedDashboard(estate.tenant, compact({ name: spec.name, description: spec.description, dqMonitorUrns }));
}
