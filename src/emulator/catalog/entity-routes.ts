import { isUrn, type Urn } from "../../model/urn.ts";
import { atomicBatch, independentBatch } from "../batch.ts";
import { Checker, checkTenant } from "../check.ts";
import {
  bodyObject,
  type Call,
  created,
  noContent,
  ok,
  pathUrn,
  queryList,
  queryUrn,
  routesOf,
} from "../http/call.ts";
import type { JsonObject } from "../json.ts";
import { invalid } from "../problem.ts";
import type { Tenant } from "../tenant.ts";
import {
  changeEntity,
  checkNewEntity,
  checkProperties,
  knownType,
  removeEntity,
  storeEntity,
  type TakenPlaces,
  writableType,
} from "./entities.ts";
import { checkRequestedProperties, pageOfEntities, showEntity } from "./entity-view.ts";
import { lookAtAttributes } from "./query-imports.ts";
import type { Related } from "./related.ts";

/** include is stewardship only here (document 1, "Generic metadata entities"). */
function related(call: Call): Related[] {
  return queryList(call, "include").map((name) => {
    if (name !== "effectiveStewardship") throw invalid(`${name} cannot be included here.`);
    return name;
  });
}

function checkedProperties(
  tenant: Tenant,
  urn: Urn,
  body: JsonObject,
  pointer: string,
  fields: readonly string[],
): JsonObject {
  const type = writableType(tenant, urn, pointer === "#" ? undefined : `${pointer}/urn`);
  const checker = new Checker();
  checker.onlyFields(body, fields, pointer);
  const properties = checker.object(body["properties"], `${pointer}/properties`);
  if ("name" in properties && tenant.model.isA(type, "term")) {
    checker.requiredText(properties, "name", `${pointer}/properties`);
  }
  checkProperties(tenant, type, properties, `${pointer}/properties`, checker);
  checkTenant(body, tenant.name, pointer, checker);
  checker.refuseIfFailed();
  return properties;
}

/** A written entity comes back with the properties that were written. */
function written(tenant: Tenant, urn: Urn, properties: JsonObject): JsonObject {
  return showEntity(tenant, urn, Object.keys(properties));
}

function itemUrn(item: JsonObject, pointer: string): Urn {
  const { urn } = item;
  if (typeof urn !== "string" || !isUrn(urn))
    throw invalid("urn is required and must be a URN.", `${pointer}/urn`);
  return urn;
}

export const entityRoutes = routesOf("catalog", "/api/catalog/v1", {
  "GET /entities": (call) => {
    const { tenant } = call;
    const type = call.query.get("entityType");
    if (type === null || type === "") throw invalid("entityType is required.");
    if (tenant.model.get(type) === undefined) throw invalid(`${type} is not a type of the metadata model.`);
    const names = queryList(call, "properties");
    checkRequestedProperties(tenant, type, names);
    const included = related(call);
    const parent = queryUrn(call, "parentUrn");
    if (type === "attribute" && !call.query.has("after")) lookAtAttributes(tenant, parent);
    if (type === "dslQuery" && parent === undefined && tenant.quirks.allQueries === "refused")
      throw invalid("parentUrn is required for entities of type dslQuery.");
    return pageOfEntities(call, type, parent, (urn) => showEntity(tenant, urn, names, included));
  },
  "POST /entities": (call) => {
    const { tenant } = call;
    const body = bodyObject(call);
    const checker = new Checker();
    checkTenant(body, tenant.name, "#", checker);
    checkNewEntity(tenant, body, "#", checker);
    checker.refuseIfFailed();
    const { urn } = storeEntity(tenant, body);
    return created(showEntity(tenant, urn, Object.keys((body["properties"] ?? {}) as JsonObject)));
  },
  "GET /entities/:urn": (call) => {
    const { tenant } = call;
    const urn = pathUrn(call);
    const type = knownType(tenant, urn);
    const names = queryList(call, "properties");
    checkRequestedProperties(tenant, type, names);
    return ok(showEntity(tenant, urn, names, related(call)));
  },
  "PATCH /entities/:urn": (call) => {
    const urn = pathUrn(call);
    const properties = checkedProperties(call.tenant, urn, bodyObject(call), "#", ["properties"]);
    changeEntity(call.tenant, urn, properties);
    return ok(written(call.tenant, urn, properties));
  },
  "DELETE /entities/:urn": (call) => {
    removeEntity(call.tenant, pathUrn(call));
    return noContent;
  },
  // Batch create and batch patch are atomic (document 1, Batch rules 3).
  "POST /entities/batch/create": (call) => {
    const taken: TakenPlaces = new Set();
    return atomicBatch(
      call,
      (item, pointer) => {
        const checker = new Checker();
        checkNewEntity(call.tenant, item, pointer, checker, { taken });
        checker.refuseIfFailed();
        return item;
      },
      (item) => {
        const { urn, concreteType } = storeEntity(call.tenant, item);
        return { urn, rootSuperType: call.tenant.model.rootOf(concreteType), concreteType };
      },
    );
  },
  "POST /entities/batch/patch": (call) =>
    atomicBatch(
      call,
      (item, pointer) => {
        const urn = itemUrn(item, pointer);
        return { urn, properties: checkedProperties(call.tenant, urn, item, pointer, ["urn", "properties"]) };
      },
      ({ urn, properties }) => {
        changeEntity(call.tenant, urn, properties);
        return written(call.tenant, urn, properties);
      },
    ),
  // Batch delete handles items independently; an unknown URN is RESOURCE_NOT_FOUND (Batch rules 3 and 5).
  "POST /entities/batch/delete": (call) =>
    independentBatch(call, (item, pointer) => {
      removeEntity(call.tenant, itemUrn(item, pointer), `${pointer}/urn`);
      return { deleted: true };
    }),
});
