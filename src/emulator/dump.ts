import type { Urn } from "../model/urn.ts";
import type { Collection } from "./collection.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Tenant } from "./tenant.ts";

export interface Counts {
  /** Published ones. */
  readonly terms: number;
  readonly rules: number;
  readonly monitors: number;
  readonly dashboards: number;
  readonly items: number;
  readonly attributes: number;
  readonly folders: number;
  readonly entities: number;
  readonly termAssignments: number;
  /** Open drafts of rules, monitors, dashboards and terms, whatever their type. */
  readonly drafts: number;
}

/** Counts walk the state: they are for assertions, not for every request. */
export function countAll(tenant: Tenant): Counts {
  let drafts = 0;
  for (const collection of [tenant.terms, tenant.rules, tenant.monitors, tenant.dashboards]) {
    for (const value of collection.values()) if (value.draftType !== "NONE") drafts += 1;
  }
  let termAssignments = 0;
  for (const attribute of tenant.attributes.values()) termAssignments += attribute.termAssignments.length;
  return {
    terms: tenant.terms.bucket("").length,
    rules: tenant.rules.bucket("").length,
    monitors: tenant.monitors.bucket("").length,
    dashboards: tenant.dashboards.bucket("").length,
    items: tenant.items.size,
    attributes: tenant.attributes.size,
    folders: tenant.folders.size,
    entities: tenant.entities.size,
    termAssignments,
    drafts,
  };
}

export function dumpAll(tenant: Tenant): JsonObject {
  return {
    tenant: tenant.name,
    metadataModel: plain([...tenant.model.all()]),
    entities: dumpOf(tenant.entities),
    folders: dumpOf(tenant.folders),
    items: dumpOf(tenant.items),
    attributes: dumpOf(tenant.attributes),
    terms: dumpOf(tenant.terms),
    dimensions: dumpOf(tenant.dimensions),
    transformations: dumpOf(tenant.transformations),
    rules: dumpOf(tenant.rules),
    monitors: dumpOf(tenant.monitors),
    dashboards: dumpOf(tenant.dashboards),
    flowConfigurations: dumpOf(tenant.flowConfigurations),
    workflows: dumpOf(tenant.workflows),
    jobs: dumpOf(tenant.jobs),
    termRuleLinks: plain(tenant.termRuleLinks),
    stewards: plain(Object.fromEntries([...tenant.stewards].sort(byKey))),
    formerStewards: plain(Object.fromEntries([...tenant.formerStewards].sort(byKey))),
    queryImports: plain(Object.fromEntries([...tenant.queryImports].sort(byKey))),
    referenceData: plain(tenant.referenceData.dump()),
    critical: plain([...tenant.critical].sort()),
  };
}

function byKey(left: readonly [string, unknown], right: readonly [string, unknown]): number {
  return left[0] < right[0] ? -1 : 1;
}

function dumpOf<T extends { readonly urn: Urn }>(collection: Collection<T>): JsonObject {
  const entries: [string, Json][] = [];
  for (const value of collection.values()) entries.push([value.urn, plain(value)]);
  return Object.fromEntries(entries.sort(byKey));
}

/** A copy as plain JSON with sorted keys, which later changes of the state do not reach. */
function plain(value: unknown): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, field]) => field !== undefined);
    return Object.fromEntries(entries.sort(byKey).map(([key, field]) => [key, plain(field)]));
  }
  return value as Json;
}
