import { isArray, isObject, type JsonObject } from "../../../src/emulator/json.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Term } from "../../../src/emulator/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { type Side, wanted } from "./side.ts";

/** What a person does in the web application of one side: each change is published at once. */

/** null clears a field; null and [] clear an extra property. */
export function editTerm(side: Side, urn: Urn, change: JsonObject): void {
  const before = side.body(urn);
  const extra = { ...object(before["extraProperties"]), ...object(change["extraProperties"]) };
  const isSet = ([, value]: [string, unknown]): boolean =>
    value !== null && !(isArray(value) && value.length === 0);
  const fields = Object.entries({ ...before, ...change }).filter(isSet);
  const published = {
    ...Object.fromEntries(fields),
    urn,
    extraProperties: Object.fromEntries(Object.entries(extra).filter(isSet)),
  };
  side.tenant.terms.put({ urn, published: published as unknown as Term, draftType: "NONE" });
}

function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function editRule({ tenant }: Side, urn: Urn, change: JsonObject): void {
  const { draft } = seed.leaveRuleDraft(tenant, urn, "CHANGE", change);
  tenant.rules.put({ urn, published: wanted(draft, urn), draftType: "NONE" });
}

/** Primary monitors as well. New sub-entities stand under any name, existing ones under their key. */
export function editMonitor({ tenant }: Side, urn: Urn, change: JsonObject): void {
  const { draft } = seed.leaveMonitorDraft(tenant, urn, "CHANGE", change);
  tenant.monitors.put({ urn, published: wanted(draft, urn), draftType: "NONE" });
}

export function editDashboard(side: Side, urn: Urn, change: JsonObject): void {
  side.tenant.dashboards.put({ urn, published: { ...side.body(urn), ...change, urn }, draftType: "NONE" });
}

/** The same content as before, these parts under keys that the service assigned anew. */
export function rekeyMonitor(side: Side, urn: Urn, keys: readonly string[]): void {
  const monitor = rekeyed(side, urn, keys);
  side.tenant.monitors.put({
    urn,
    published: { ...monitor, urn, catalogItemUrn: monitor["catalogItemUrn"] as Urn },
    draftType: "NONE",
  });
}

export function rekeyRule(side: Side, urn: Urn, keys: readonly string[]): void {
  const rule = rekeyed(side, urn, keys);
  const name = typeof rule["name"] === "string" ? rule["name"] : "";
  side.tenant.rules.put({ urn, published: { ...rule, urn, name }, draftType: "NONE" });
}

function rekeyed(side: Side, urn: Urn, keys: readonly string[]): JsonObject {
  const text = JSON.stringify(side.body(urn));
  return JSON.parse(
    keys.reduce((result, key) => result.replaceAll(key, side.tenant.newUuid()), text),
  ) as JsonObject;
}

/** The parent as well, which the interface cannot change. */
export function editFolder({ tenant }: Side, urn: Urn, change: JsonObject): void {
  tenant.folders.put({ ...wanted(tenant.folders.get(urn), urn), ...change });
}

export function removeFolder({ tenant }: Side, urn: Urn): void {
  tenant.folders.delete(urn);
}

export function removeTerm({ tenant }: Side, urn: Urn): void {
  tenant.terms.delete(urn);
}

/** Whoever uses the rule. */
export function removeRule({ tenant }: Side, urn: Urn): void {
  tenant.rules.delete(urn);
}

/** The dashboards that showed it lose it. */
export function removeMonitor(side: Side, urn: Urn): void {
  side.tenant.monitors.delete(urn);
  for (const { urn: dashboard, published } of side.tenant.dashboards.values()) {
    const shown = published?.["dqMonitorUrns"];
    if (!isArray(shown) || !shown.includes(urn)) continue;
    editDashboard(side, dashboard, { dqMonitorUrns: shown.filter((other) => other !== urn) });
  }
}

export function removeDashboard({ tenant }: Side, urn: Urn): void {
  tenant.dashboards.delete(urn);
}

/** A table that is called otherwise where it was imported from. */
export function nameItem({ tenant }: Side, urn: Urn, name: string): void {
  const before = wanted(tenant.items.get(urn), urn);
  const { originPath = "" } = before;
  tenant.items.put({
    ...before,
    name,
    originPath: `${originPath.slice(0, originPath.lastIndexOf("/"))}/${name}`,
  });
}

/** A table that is not imported any more; its monitors go with it. */
export function removeItem({ tenant }: Side, urn: Urn): void {
  for (const monitor of tenant.monitors.valuesIn(`any:${urn}`)) tenant.monitors.delete(monitor.urn);
  for (const attribute of tenant.attributes.valuesIn(`item:${urn}`)) tenant.attributes.delete(attribute.urn);
  tenant.items.delete(urn);
}
