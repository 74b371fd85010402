import type { Urn } from "../../model/urn.ts";
import type { Monitor, Versioned } from "../state.ts";
import type { Tenant } from "../tenant.ts";

/** Every catalog item has a primary monitor, published from the start (document 2, migration rule 3). */
export function createPrimaryMonitor(tenant: Tenant, catalogItemUrn: Urn): Versioned<Monitor> {
  const urn = tenant.newUrn("data-quality:dq-monitor");
  const published: Monitor = {
    urn,
    catalogItemUrn,
    name: "Primary monitor",
    profilingConfiguration: { enabled: true, type: "FULL" },
    termRuleInstances: {},
  };
  return tenant.monitors.put({ urn, published, draftType: "NONE" });
}

export function isPrimary(tenant: Tenant, monitor: Monitor): boolean {
  return tenant.items.get(monitor.catalogItemUrn)?.primaryMonitorUrn === monitor.urn;
}
