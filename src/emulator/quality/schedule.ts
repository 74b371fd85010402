import type { JsonObject } from "../json.ts";
import type { Tenant } from "../tenant.ts";

const hour = 3_600_000;

/**
 * When an enabled schedule runs next: the next full hour after the tenant's clock. The cron expression is not
 * evaluated; what matters to a client is that the value is read-only and moves on by itself.
 */
export function nextRun(tenant: Tenant, schedule: JsonObject): string | undefined {
  if (schedule["enabled"] !== true || typeof schedule["cronExpression"] !== "string") return undefined;
  const now = Date.parse(tenant.now);
  return new Date(Math.ceil((now + 1) / hour) * hour).toISOString();
}
