import type { Urn } from "../../model/urn.ts";
import { Checker, checkTenant } from "../check.ts";
import { child, isObject, type JsonObject, sameJson } from "../json.ts";
import { conflict, invalid, notFound } from "../problem.ts";
import type { DraftType, Monitor, Versioned } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { forgetMonitor } from "./dashboards.ts";
import { resolveJoinKeys } from "./join-checks.ts";
import { checkMonitor } from "./monitor-checks.ts";
import { monitorShape } from "./monitor-shape.ts";
import { isPrimary } from "./primary.ts";
import { nextRun } from "./schedule.ts";
import { Merge } from "./sub-entities.ts";
import { namedInstances } from "./term-instances.ts";
import { newest, putDraft, putPublished } from "./versions.ts";

interface WrittenMonitor {
  readonly row: Versioned<Monitor>;
  readonly value: Monitor;
  readonly merge: Merge;
}

/** The monitor of a path: `primary` is the item's primary one (document 2, "Data-quality monitors"). */
export function monitorAt(tenant: Tenant, itemUrn: Urn, name: string): Versioned<Monitor> {
  const item = tenant.items.get(itemUrn);
  if (item === undefined) throw notFound(`Catalog item ${itemUrn} does not exist.`);
  const row = tenant.monitors.get(name === "primary" ? (item.primaryMonitorUrn ?? "") : name);
  if (row === undefined || newest(row)?.catalogItemUrn !== itemUrn) {
    throw notFound(`Monitor ${name} does not exist on ${itemUrn}.`);
  }
  return row;
}

/** The current draft for version DRAFT, the latest published version otherwise. */
export function readMonitor(tenant: Tenant, row: Versioned<Monitor>, version: string | null): JsonObject {
  if (version !== null && version !== "DRAFT") throw invalid(`version must be DRAFT, not ${version}.`);
  if (version === "DRAFT" && row.draft !== undefined) return showMonitor(tenant, row.draft, row.draftType);
  const absent = version === "DRAFT" && tenant.quirks.absentDraft === "404";
  if (row.published === undefined || absent) {
    throw notFound(`Monitor ${row.urn} has no ${version === "DRAFT" ? "draft" : "published version"}.`);
  }
  return showMonitor(tenant, row.published, "NONE");
}

/** A new monitor as a draft or, from a batch, published at once (document 2, "Monitor draft types"). */
export function createMonitor(
  tenant: Tenant,
  catalogItemUrn: Urn,
  body: JsonObject,
  options: { readonly publish: boolean; readonly taken: Set<string> },
): WrittenMonitor {
  if (!tenant.items.has(catalogItemUrn)) throw notFound(`Catalog item ${catalogItemUrn} does not exist.`);
  const checker = new Checker();
  if (options.publish || "name" in body) checker.requiredText(body, "name", "#");
  const blank = { catalogItemUrn } as Monitor;
  const merge = new Merge(tenant, checker, options.taken);
  const merged = mergeMonitor(tenant, blank, body, undefined, merge, checker);
  const urn = tenant.newUrn("data-quality:dq-monitor");
  const value: Monitor = { ...merged, urn };
  const row = options.publish
    ? putPublished(tenant.monitors, urn, value)
    : putDraft(tenant.monitors, { urn }, value);
  return { row, value, merge };
}

/** Opens a draft on the published version, or goes on with the open one; no effect until published. */
export function changeMonitor(tenant: Tenant, row: Versioned<Monitor>, body: JsonObject): WrittenMonitor {
  const before = newest(row);
  if (before === undefined || row.draftType === "DELETE" || row.draftType === "RESURRECT") {
    throw conflict(`Monitor ${row.urn} has a draft of type ${row.draftType}.`);
  }
  const checker = new Checker();
  // name cannot be null, only replaced by a non-empty value (Update rules 2).
  if ("name" in body) checker.requiredText(body, "name", "#");
  const merge = new Merge(tenant, checker, new Set());
  const value = mergeMonitor(tenant, before, body, before, merge, checker);
  return { row: putDraft(tenant.monitors, row, value), value, merge };
}

function mergeMonitor(
  tenant: Tenant,
  base: Monitor,
  body: JsonObject,
  before: Monitor | undefined,
  merge: Merge,
  checker: Checker,
): Monitor {
  checkTenant(body, tenant.name, "#", checker);
  checkTermInstances(tenant, base, body, checker);
  const merged = merge.object(monitorShape, base, body, "#") as Monitor;
  const value = resolveJoinKeys(merged, merge);
  checkMonitor(tenant, value, before, merge, checker);
  checker.refuseIfFailed();
  return value;
}

/** Read-only here; a retrieved monitor may be sent back, so what is there already may come along. */
function checkTermInstances(tenant: Tenant, base: Monitor, body: JsonObject, checker: Checker): void {
  const sent = body["termRuleInstances"];
  if (sent === undefined) return;
  const known = child(base, "termRuleInstances");
  if (sameJson(sent, namedInstances(tenant, known)) || sameJson(sent, known)) return;
  checker.fail("#/termRuleInstances", "Term rule instances cannot be created or modified here.");
}

/** The draft becomes the new published version; name is required (document 2, "Monitor draft types"). */
export function publishMonitor(tenant: Tenant, row: Versioned<Monitor>): Monitor {
  const { draft } = row;
  if (draft === undefined) {
    if (row.published === undefined) throw notFound(`Monitor ${row.urn} does not exist.`);
    return row.published;
  }
  if (row.draftType === "DELETE") {
    deleteMonitor(tenant, row);
    return draft;
  }
  const checker = new Checker();
  checker.requiredText(draft, "name", "#");
  checker.refuseIfFailed();
  putPublished(tenant.monitors, row.urn, draft);
  return draft;
}

/** Deleted immediately, drafts and all; the primary monitor cannot be deleted. */
export function deleteMonitor(tenant: Tenant, row: Versioned<Monitor>): void {
  const value = newest(row);
  if (value !== undefined && isPrimary(tenant, value)) {
    throw conflict(`Monitor ${row.urn} is the primary monitor of ${value.catalogItemUrn}.`);
  }
  tenant.monitors.delete(row.urn);
  forgetMonitor(tenant, row.urn);
}

export function showMonitor(tenant: Tenant, monitor: Monitor, draftType: DraftType): JsonObject {
  const { urn, catalogItemUrn, ...fields } = monitor;
  const shown: JsonObject = { urn, catalogItemUrn, draftType, ...fields };
  for (const key of ["manualRuleInstances", "termRuleInstances"]) {
    const instances = shown[key];
    if (isObject(instances)) shown[key] = namedInstances(tenant, instances);
  }
  if (isObject(fields["schedule"])) {
    const next = nextRun(tenant, fields["schedule"]);
    shown["schedule"] = next === undefined ? fields["schedule"] : { ...fields["schedule"], nextRun: next };
  }
  return shown;
}
