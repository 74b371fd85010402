import type { Urn } from "../../model/urn.ts";
import { Checker, checkTenant } from "../check.ts";
import { bodyObject, created, noContent, ok, pathUrn, queryUrn, routesOf } from "../http/call.ts";
import { compact, isArray, isObject, type Json, type JsonObject, stableText } from "../json.ts";
import { page } from "../paging.ts";
import { invalid, notFound } from "../problem.ts";
import type { CatalogItem } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { withDescription } from "./attributes.ts";
import { checkExtra, mergeExtra } from "./extra-properties.ts";
import { ancestors } from "./folders.ts";
import { matchesFilter } from "./item-filter.ts";
import { nothing, type Requested, requested, requestedFields } from "./related.ts";
import { changeQuery, createSqlItem, deleteItem, sqlItemType } from "./sql-items.ts";

const related = ["effectiveCriticality", "effectiveStewardship"] as const;

export function itemOf(tenant: Tenant, urn: string): CatalogItem {
  const item = tenant.items.get(urn);
  if (item === undefined) throw notFound(`Catalog item ${urn} does not exist.`);
  return item;
}

/** Attributes and the SQL query are not part of the answer (document 1, "Catalog item"). */
function showItem(tenant: Tenant, item: CatalogItem, asked: Requested): JsonObject {
  const place = ancestors(tenant, item.parentUrn);
  const shown = compact({
    urn: item.urn,
    name: item.name,
    description: item.description,
    originPath: item.originPath,
    connection: item.connectionUrn === undefined ? undefined : { urn: item.connectionUrn },
    source: { urn: item.sourceUrn },
    termAssignments: item.termUrns.map((termUrn) => ({ termUrn })),
    locations: place.filter((entry) => entry.type === "location").map(({ urn, name }) => ({ urn, name })),
    folders: place.filter((entry) => entry.type === "folder").map(({ urn, name }) => ({ urn, name })),
    primaryDqMonitor: item.primaryMonitorUrn === undefined ? undefined : { urn: item.primaryMonitorUrn },
    aliases: [...item.aliases],
  });
  return { ...shown, ...requestedFields(tenant, item, item.type, asked) };
}

function changeItem(tenant: Tenant, urn: Urn, body: JsonObject): CatalogItem {
  const item = itemOf(tenant, urn);
  const checker = new Checker();
  checker.onlyFields(body, ["description", "query", "aliases", "extraProperties"], "#");
  checker.optional(body, "description", "string", "#", true);
  if ("query" in body) {
    if (item.type === sqlItemType) checker.requiredText(body, "query", "#");
    else checker.fail("#/query", "Only SQL catalog items have a query.");
  }
  checkAliases(body["aliases"], checker);
  if (body["extraProperties"] !== null) {
    checkExtra(tenant, item.type, body["extraProperties"], "#/extraProperties", checker);
  }
  checkTenant(body, tenant.name, "#", checker);
  checker.refuseIfFailed();
  if (typeof body["query"] === "string") changeQuery(tenant, urn, body["query"]);
  // The whole array is replaced; null clears it.
  const aliases = "aliases" in body ? aliasesOf(body["aliases"]) : item.aliases;
  const extraProperties = mergeExtra(item.extraProperties, body["extraProperties"]);
  return tenant.items.put({ ...withDescription(item, body), aliases, extraProperties });
}

function checkAliases(value: Json | undefined, checker: Checker): void {
  if (value === undefined || value === null) return;
  if (!isArray(value)) {
    checker.fail("#/aliases", "aliases must be an array.");
    return;
  }
  for (const [index, entry] of value.entries()) {
    const alias = checker.object(entry, `#/aliases/${index}`);
    checker.requiredText(alias, "type", `#/aliases/${index}`);
    checker.requiredText(alias, "value", `#/aliases/${index}`);
  }
}

function aliasesOf(value: Json | undefined): JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

export const itemRoutes = routesOf("catalog", "/api/catalog/v1", {
  "GET /catalog-items": (call) => {
    const asked = requested(call, "catalogItem", related);
    const parent = queryUrn(call, "parentUrn");
    return page(call, {
      name: `items ${parent ?? ""}`,
      collection: call.tenant.items,
      key: parent === undefined ? "" : `parent:${parent}`,
      render: (item) => showItem(call.tenant, item, asked),
    });
  },
  "POST /catalog-items": (call) => {
    const item = createSqlItem(call.tenant, bodyObject(call));
    return created(showItem(call.tenant, item, nothing));
  },
  // A search that uses POST for its body; it changes nothing.
  "QUERY /catalog-items/filter": (call) => {
    const asked = requested(call, "catalogItem", related);
    const filter = bodyObject(call)["filter"];
    if (!isObject(filter)) throw invalid("filter is required and must be an object.", "#/filter");
    const checker = new Checker();
    checkTenant(filter, call.tenant.name, "#/filter", checker);
    checker.refuseIfFailed();
    const test = matchesFilter(call.tenant, filter, "#/filter");
    return page(call, {
      name: "items filter",
      collection: call.tenant.items,
      key: "",
      filter: { name: stableText(filter), test },
      render: (item) => showItem(call.tenant, item, asked),
    });
  },
  "GET /catalog-items/:urn": (call) => {
    const asked = requested(call, "catalogItem", related);
    return ok(showItem(call.tenant, itemOf(call.tenant, pathUrn(call)), asked));
  },
  "PATCH /catalog-items/:urn": (call) => {
    const item = changeItem(call.tenant, pathUrn(call), bodyObject(call));
    return ok(showItem(call.tenant, item, nothing));
  },
  "DELETE /catalog-items/:urn": (call) => {
    deleteItem(call.tenant, itemOf(call.tenant, pathUrn(call)));
    return noContent;
  },
});
