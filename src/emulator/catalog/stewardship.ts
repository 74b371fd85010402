import type { Urn } from "../../model/urn.ts";
import { independentBatch } from "../batch.ts";
import { Checker, checkTenant } from "../check.ts";
import { bodyObject, ok, routesOf } from "../http/call.ts";
import { asText, type JsonObject } from "../json.ts";
import { invalid, notFound } from "../problem.ts";
import type { Tenant } from "../tenant.ts";
import { effectiveStewardship } from "./related.ts";

/** Page 04: sets the group of an entity, and says what the previous one may still do. */
function manage(tenant: Tenant, body: JsonObject, pointer: string): JsonObject {
  const checker = new Checker();
  checkTenant(body, tenant.name, pointer, checker);
  checker.reference(body["entityUrn"], () => true, "an entity", `${pointer}/entityUrn`);
  const isGroup = (urn: Urn): boolean => tenant.typeOf(urn) === "group";
  checker.reference(body["groupUrn"], isGroup, "a group", `${pointer}/groupUrn`);
  const level = body["previousStewardAccessLevel"] ?? null;
  if (level !== null && !tenant.quirks.stewardAccessLevels.includes(asText(level))) {
    const known = tenant.quirks.stewardAccessLevels.join(", ");
    checker.fail(
      `${pointer}/previousStewardAccessLevel`,
      `previousStewardAccessLevel must be one of ${known}.`,
    );
  }
  checker.refuseIfFailed();
  const entityUrn = body["entityUrn"] as Urn;
  const type = tenant.typeOf(entityUrn);
  if (type === undefined) throw notFound(`Entity ${entityUrn} does not exist.`);
  if (!tenant.model.isStewarded(type))
    throw invalid(`Entities of type ${type} have no stewards.`, `${pointer}/entityUrn`);
  changeSteward(tenant, entityUrn, body["groupUrn"] as Urn, level === null ? undefined : asText(level));
  return { entityUrn, effectiveStewardship: effectiveStewardship(tenant, entityUrn) };
}

/** The group that was steward so far keeps what the request says, and nothing where it says nothing. */
function changeSteward(tenant: Tenant, entityUrn: Urn, groupUrn: Urn, level: string | undefined): void {
  const previous = tenant.stewards.get(entityUrn);
  tenant.stewards.set(entityUrn, groupUrn);
  const { [groupUrn]: _promoted, ...others } = tenant.formerStewards.get(entityUrn) ?? {};
  const stays = previous !== undefined && previous !== groupUrn && level !== undefined;
  const former = stays ? { ...others, [previous]: level } : others;
  if (Object.keys(former).length === 0) tenant.formerStewards.delete(entityUrn);
  else tenant.formerStewards.set(entityUrn, former);
}

export const stewardshipRoutes = routesOf("catalog", "/api/catalog/v1/stewardship", {
  "POST /manage": (call) => ok(manage(call.tenant, bodyObject(call), "#")),
  "POST /batch/manage": (call) =>
    independentBatch(call, (item, pointer) => manage(call.tenant, item, pointer)),
});
