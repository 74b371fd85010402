import { seedRun, seedTable } from "../../seed.ts";
import type { Monitor } from "../../state.ts";
import type { Tenant } from "../../tenant.ts";
import { entriesOf } from "../../quality/sub-entities.ts";
import { type Estate, wanted } from "../build/estate.ts";

/** How much of today's rows the tables had when the earlier nights ran. */
const nights = [0.8, 0.9, 1];

/** The source has been evaluated night after night, over tables that grew. */
export function runNightly(estate: Estate): void {
  const { tenant } = estate;
  const today = new Map([...estate.items.values()].map(({ urn }) => [urn, seedTable(tenant, urn, {})]));
  for (const part of nights) {
    for (const [urn, { rows }] of today) seedTable(tenant, urn, { rows: Math.round(rows * part) });
    for (const monitor of monitorsOf(tenant)) seedRun(tenant, monitor.urn);
  }
}

/** Nobody runs the primary monitors that nobody configured. */
function monitorsOf(tenant: Tenant): Monitor[] {
  return tenant.monitors
    .valuesIn("")
    .flatMap(({ published }) => published ?? [])
    .filter(
      (monitor) =>
        tenant.items.get(monitor.catalogItemUrn)?.primaryMonitorUrn !== monitor.urn ||
        entriesOf(monitor, "manualRuleInstances").length > 0 ||
        entriesOf(monitor, "termRuleInstances").length > 0,
    );
}

/** The data are the same on both sides, but for one table: an import has lost the customers of every eighth account. */
export function loseCustomers(estate: Estate): void {
  seedTable(estate.tenant, wanted(estate.items, "LOYALTY_ACCOUNT").urn, { empty: { CUSTOMER_ID: 0.125 } });
}
