import { ok, routesOf } from "../http/call.ts";
import { compact, type JsonObject } from "../json.ts";
import { pageOfArray } from "../paging.ts";
import { notFound } from "../problem.ts";
import type { EntityDefinition } from "../state.ts";
import type { Tenant } from "../tenant.ts";

function showType(tenant: Tenant, type: EntityDefinition): JsonObject {
  return {
    name: type.name,
    description: type.description,
    nodePaths: [...type.nodePaths],
    superEntities: [...type.superEntities],
    subEntities: tenant.model.subEntities(type.name),
    properties: (tenant.quirks.modelProperties === "own"
      ? type.properties
      : tenant.model.properties(type.name)
    ).map((property) => compact({ ...property })),
    editable: type.editable,
  };
}

/** Read-only (document 1, "Metadata model"). Whether a type shows what it inherits is not documented. */
export const modelRoutes = routesOf("catalog", "/api/catalog/v1", {
  "GET /metadata-model/entities": (call) => {
    const wanted = call.query.get("searchQuery")?.toLowerCase() ?? "";
    const types = call.tenant.model
      .all()
      .filter((type) => `${type.name} ${type.description}`.toLowerCase().includes(wanted));
    return pageOfArray(call, "metadata-model", types, (type) => showType(call.tenant, type));
  },
  "GET /metadata-model/entities/:name": (call) => {
    const name = call.params["name"] ?? "";
    const type = call.tenant.model.get(name);
    if (type === undefined) throw notFound(`Type ${name} does not exist.`);
    return ok(showType(call.tenant, type));
  },
});
