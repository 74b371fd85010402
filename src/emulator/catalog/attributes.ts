import type { Urn } from "../../model/urn.ts";
import { Checker, checkTenant } from "../check.ts";
import { bodyObject, ok, pathUrn, queryUrn, routesOf } from "../http/call.ts";
import { compact, type JsonObject, without } from "../json.ts";
import { page } from "../paging.ts";
import { notFound } from "../problem.ts";
import type { Attribute } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { checkExtra, mergeExtra } from "./extra-properties.ts";
import { lookAtAttributes } from "./query-imports.ts";
import { nothing, type Requested, requested, requestedFields } from "./related.ts";

export function attributeOf(tenant: Tenant, urn: string): Attribute {
  const attribute = tenant.attributes.get(urn);
  if (attribute === undefined) throw notFound(`Attribute ${urn} does not exist.`);
  return attribute;
}

/** Assigned terms cannot be changed through PATCH (document 1, "Catalog item attributes"). */
function changeAttribute(tenant: Tenant, urn: Urn, body: JsonObject): Attribute {
  const attribute = attributeOf(tenant, urn);
  const checker = new Checker();
  checker.onlyFields(body, ["description", "extraProperties"], "#");
  checker.optional(body, "description", "string", "#", true);
  if (body["extraProperties"] !== null) {
    checkExtra(tenant, "attribute", body["extraProperties"], "#/extraProperties", checker);
  }
  checkTenant(body, tenant.name, "#", checker);
  checker.refuseIfFailed();
  const extraProperties = mergeExtra(attribute.extraProperties, body["extraProperties"]);
  return tenant.attributes.put({ ...withDescription(attribute, body), extraProperties });
}

/** A description that the body sets or clears; left alone when the body does not mention it. */
export function withDescription<T extends { readonly description?: string }>(object: T, body: JsonObject): T {
  const { description } = body;
  if (description === undefined) return object;
  if (typeof description === "string") return { ...object, description };
  const { description: _cleared, ...rest } = object;
  return rest as T;
}

function showAttribute(tenant: Tenant, attribute: Attribute, asked: Requested): JsonObject {
  const shown = compact({
    urn: attribute.urn,
    name: attribute.name,
    dataType: attribute.dataType,
    columnType: attribute.columnType,
    description: attribute.description,
    catalogItemUrn: attribute.catalogItemUrn,
    termAssignments: attribute.termAssignments.map((assignment) => ({ ...assignment })),
    termDetectionDenylist: attribute.termDetectionDenylist.map((termUrn) => ({ termUrn })),
  });
  return { ...shown, ...requestedFields(tenant, attribute, "attribute", asked) };
}

function showListed(tenant: Tenant, attribute: Attribute, asked: Requested): JsonObject {
  const shown = showAttribute(tenant, attribute, asked);
  const { attributeLists } = tenant.quirks;
  return attributeLists === "whole" ? shown : without(shown, ["termAssignments", "termDetectionDenylist"]);
}

export const attributeRoutes = routesOf("catalog", "/api/catalog/v1", {
  "GET /attributes": (call) => {
    const asked = requested(call, "attribute", ["effectiveCriticality"]);
    const item = queryUrn(call, "catalogItemUrn");
    if (!call.query.has("after")) lookAtAttributes(call.tenant, item);
    return page(call, {
      name: `attributes ${item ?? ""}`,
      collection: call.tenant.attributes,
      key: item === undefined ? "" : `item:${item}`,
      render: (attribute) => showListed(call.tenant, attribute, asked),
    });
  },
  "GET /attributes/:urn": (call) => {
    const asked = requested(call, "attribute", ["effectiveCriticality"]);
    return ok(showAttribute(call.tenant, attributeOf(call.tenant, pathUrn(call)), asked));
  },
  "PATCH /attributes/:urn": (call) =>
    ok(showAttribute(call.tenant, changeAttribute(call.tenant, pathUrn(call), bodyObject(call)), nothing)),
});
