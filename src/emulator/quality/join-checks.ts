import { isUuid, type Urn } from "../../model/urn.ts";
import type { Checker } from "../check.ts";
import { child, isObject, type JsonObject } from "../json.ts";
import type { Monitor } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { type AsWritten, entriesOf, type Merge } from "./sub-entities.ts";

export function isAttributeOf(tenant: Tenant, item: unknown): (urn: Urn) => boolean {
  return (urn) => tenant.attributes.get(urn)?.catalogItemUrn === item;
}

/** Document 2, joinConfigurations: what both sides of a join must be. */
export function checkJoin(
  tenant: Tenant,
  monitor: Monitor,
  join: JsonObject,
  place: string,
  asWritten: AsWritten,
  checker: Checker,
): void {
  const { connectedCatalogItemUrn } = join;
  const isItem = (urn: Urn): boolean => tenant.items.has(urn);
  checker.reference(connectedCatalogItemUrn, isItem, "a catalog item", `${place}/connectedCatalogItemUrn`);
  const pairs = entriesOf(join, "foreignKeyPairs");
  if (pairs.length === 0)
    checker.fail(`${place}/foreignKeyPairs`, "A join keeps at least one foreign-key pair.");
  const isLocal = isAttributeOf(tenant, monitor.catalogItemUrn);
  const isConnected = isAttributeOf(tenant, connectedCatalogItemUrn);
  for (const [key, pair] of pairs) {
    const at = `${place}/foreignKeyPairs/${asWritten(key)}`;
    const local = "an attribute of the monitor's item";
    checker.reference(pair["localAttributeUrn"], isLocal, local, `${at}/localAttributeUrn`);
    const connected = "an attribute of the joined item";
    checker.reference(pair["connectedAttributeUrn"], isConnected, connected, `${at}/connectedAttributeUrn`);
  }
}

/** A connected mapping made with its join names the join by its new_ key (document 2, Update rules 3). */
export function resolveJoinKeys(monitor: Monitor, merge: Merge): Monitor {
  const instances = child(monitor, "manualRuleInstances");
  const resolved = Object.entries(instances).map(([key, instance]) => {
    if (!isObject(instance) || !isObject(instance["connectedMappings"])) return [key, instance] as const;
    const mappings = entriesOf(instance, "connectedMappings").map(([mappingKey, mapping]) => {
      const join = mapping["joinConfigurationKey"];
      const assigned = typeof join === "string" && !isUuid(join) ? merge.assigned.get(join) : undefined;
      return [
        mappingKey,
        assigned === undefined ? mapping : { ...mapping, joinConfigurationKey: assigned },
      ] as const;
    });
    return [key, { ...instance, connectedMappings: Object.fromEntries(mappings) }] as const;
  });
  if (resolved.length === 0) return monitor;
  return { ...monitor, manualRuleInstances: Object.fromEntries(resolved) };
}
