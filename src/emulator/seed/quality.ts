import type { Urn } from "../../model/urn.ts";
import { isObject, type JsonObject } from "../json.ts";
import { notFound } from "../problem.ts";
import { createDashboard, publishDashboard } from "../quality/dashboards.ts";
import { monitorShape } from "../quality/monitor-shape.ts";
import { changeMonitor, createMonitor, publishMonitor } from "../quality/monitors.ts";
import { changeRule, newRule } from "../quality/rules.ts";
import { ruleShape } from "../quality/rule-shape.ts";
import { newest, putDraft, putPublished } from "../quality/versions.ts";
import type { Dashboard, DraftType, Monitor, Rule, Versioned } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { LocalKeys } from "./local-keys.ts";

/** Published, or a NEW draft that was never published. */
export type SeedState = "PUBLISHED" | "NEW";

export interface Seeded<T> {
  readonly value: T;
  readonly urn: Urn;
  /**
   * Local key to stored key, under the bare key where it is the only one of its name and under the whole path
   * (`inputGroups.main.inputs.email`) always.
   */
  readonly keys: Readonly<Record<string, string>>;
  /** The same for the URNs of the sub-entities that have one. */
  readonly urns: Readonly<Record<string, Urn>>;
}

/** A rule as the web application makes it: an empty stringExpression (condition builder) is allowed. */
export function seedRule(tenant: Tenant, body: JsonObject, state: SeedState = "PUBLISHED"): Seeded<Rule> {
  const local = new LocalKeys(ruleShape);
  const { value, merge } = newRule(tenant, local.rename(body), new Set(), false);
  if (state === "PUBLISHED") putPublished(tenant.rules, value.urn, value);
  else putDraft(tenant.rules, { urn: value.urn }, value);
  return { value, urn: value.urn, ...local.found(value, merge.assigned) };
}

/** `body` has catalogItemUrn besides the fields of the monitor; joinConfigurationKey takes a local key. */
export function seedMonitor(
  tenant: Tenant,
  body: JsonObject & { catalogItemUrn: Urn },
  state: SeedState = "PUBLISHED",
): Seeded<Monitor> {
  const local = new LocalKeys(monitorShape);
  const options = { publish: state === "PUBLISHED", taken: new Set<string>() };
  const { value, merge } = createMonitor(tenant, body.catalogItemUrn, local.rename(body), options);
  return { value, urn: value.urn, ...local.found(value, merge.assigned) };
}

/** Changes and publishes the primary monitor of an item. */
export function seedPrimaryMonitor(tenant: Tenant, catalogItemUrn: Urn, body: JsonObject): Seeded<Monitor> {
  const item = tenant.items.get(catalogItemUrn);
  const row = tenant.monitors.get(item?.primaryMonitorUrn ?? "");
  if (row === undefined) throw notFound(`Catalog item ${catalogItemUrn} does not exist.`);
  const local = new LocalKeys(monitorShape);
  const written = changeMonitor(tenant, row, local.rename(body));
  publishMonitor(tenant, written.row);
  return { value: written.value, urn: row.urn, ...local.found(written.value, written.merge.assigned) };
}

export function seedDashboard(tenant: Tenant, body: JsonObject, state: SeedState = "PUBLISHED"): Dashboard {
  const dashboard = createDashboard(tenant, body);
  if (state === "PUBLISHED") publishDashboard(tenant, dashboard.urn);
  return dashboard;
}

/** Leaves an open draft: CHANGE with a change in it, or DELETE and RESURRECT as the web application makes them. */
export function leaveMonitorDraft(
  tenant: Tenant,
  urn: Urn,
  type: Exclude<DraftType, "NEW" | "NONE">,
  change: JsonObject = {},
): Versioned<Monitor> {
  const row = existing(tenant.monitors.get(urn), urn);
  if (type === "CHANGE") return changeMonitor(tenant, row, new LocalKeys(monitorShape).rename(change)).row;
  return tenant.monitors.put(leftDraft(row, type));
}

export function leaveRuleDraft(
  tenant: Tenant,
  urn: Urn,
  type: "CHANGE" | "DELETE",
  change: JsonObject = {},
): Versioned<Rule> {
  const row = existing(tenant.rules.get(urn), urn);
  if (type === "DELETE") return tenant.rules.put(leftDraft(row, type));
  changeRule(tenant, urn, new LocalKeys(ruleShape).rename(change));
  return existing(tenant.rules.get(urn), urn);
}

export function leaveDashboardDraft(
  tenant: Tenant,
  urn: Urn,
  type: "CHANGE" | "DELETE",
  change: JsonObject = {},
): Versioned<Dashboard> {
  const row = existing(tenant.dashboards.get(urn), urn);
  if (type === "DELETE") return tenant.dashboards.put(leftDraft(row, type));
  const draft = newest(row);
  return putDraft(tenant.dashboards, row, { ...draft, ...change, urn });
}

function existing<T>(row: Versioned<T> | undefined, urn: Urn): Versioned<T> {
  if (row === undefined) throw notFound(`${urn} does not exist.`);
  return row;
}

/** A resurrected object is not published any more: only its draft is left. */
function leftDraft<T>(row: Versioned<T>, type: "DELETE" | "RESURRECT"): Versioned<T> {
  const draft = newest(row);
  if (draft === undefined || !isObject(draft)) throw notFound(`${row.urn} has no version.`);
  if (type === "RESURRECT") return { urn: row.urn, draft, draftType: type };
  return { ...row, draft, draftType: type };
}
