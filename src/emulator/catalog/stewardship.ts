import type { Urn } from "../../model/urn.ts";
import { independentBatch } from "../batch.ts";
import { Checker, checkTenant } from "../check.ts";
import { bodyObject, ok, routesOf } from "../http/call.ts";
import type { JsonObject } from "../json.ts";
import { notFound } from "../problem.ts";
import type { Tenant } from "../tenant.ts";
import { effectiveStewardship } from "./related.ts";

/** Page 04: sets the group of an entity; the access level that the previous one keeps is checked as text only. */
function manage(tenant: Tenant, body: JsonObject, pointer: string): JsonObject {
  const checker = new Checker();
  checkTenant(body, tenant.name, pointer, checker);
  checker.reference(body["entityUrn"], () => true, "an entity", `${pointer}/entityUrn`);
  const isGroup = (urn: Urn): boolean => tenant.typeOf(urn) === "group";
  checker.reference(body["groupUrn"], isGroup, "a group", `${pointer}/groupUrn`);
  checker.optional(body, "previousStewardAccessLevel", "string", pointer, true);
  checker.refuseIfFailed();
  const entityUrn = body["entityUrn"] as Urn;
  if (tenant.typeOf(entityUrn) === undefined) throw notFound(`Entity ${entityUrn} does not exist.`);
  tenant.stewards.set(entityUrn, body["groupUrn"] as Urn);
  return { entityUrn, effectiveStewardship: effectiveStewardship(tenant, entityUrn) };
}

export const stewardshipRoutes = routesOf("catalog", "/api/catalog/v1/stewardship", {
  "POST /manage": (call) => ok(manage(call.tenant, bodyObject(call), "#")),
  "POST /batch/manage": (call) =>
    independentBatch(call, (item, pointer) => manage(call.tenant, item, pointer)),
});
