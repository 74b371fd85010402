import type { Tenant } from "../tenant.ts";
import { buildEstate } from "./build/estate.ts";
import { given } from "./demo/given.ts";

/** The given things of the demo in both tenants, and nothing to move. */
export function prepareEmpty(source: Tenant, target: Tenant): void {
  buildEstate(source, "source", given);
  buildEstate(target, "target", given);
}
