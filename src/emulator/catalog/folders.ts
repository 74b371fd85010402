import type { Urn } from "../../model/urn.ts";
import { Checker, checkTenant } from "../check.ts";
import { bodyObject, created, noContent, ok, pathUrn, queryUrn, routesOf } from "../http/call.ts";
import { isObject, type JsonObject, mergePatch, without } from "../json.ts";
import { page } from "../paging.ts";
import { conflict, notFound } from "../problem.ts";
import type { Folder } from "../state.ts";
import type { Tenant } from "../tenant.ts";
import { checkExtra, mergeExtra } from "./extra-properties.ts";
import { nothing, parentOf, type Requested, requested, requestedFields } from "./related.ts";

interface Ancestor {
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
}

/** A place and everything above it, closest first: folders or locations, then the source. */
export function ancestors(tenant: Tenant, urn: Urn): Ancestor[] {
  const found: Ancestor[] = [];
  for (let place: Urn | undefined = urn; place !== undefined; place = parentOf(tenant, place)) {
    const name = tenant.folders.get(place)?.name ?? tenant.entities.get(place)?.properties["name"];
    found.push({ urn: place, type: tenant.typeOf(place) ?? "", name: typeof name === "string" ? name : "" });
  }
  return found;
}

/** The source that a folder, location or connection belongs to; the place itself when it has none. */
export function sourceOf(tenant: Tenant, urn: Urn): Urn {
  return ancestors(tenant, urn).find((ancestor) => ancestor.type === "source")?.urn ?? urn;
}

export function createFolder(tenant: Tenant, body: JsonObject): Folder {
  const checker = new Checker();
  checker.refuseFields(body, ["urn"], "#", "is read-only");
  checker.requiredText(body, "name", "#");
  checker.optional(body, "description", "string", "#", false);
  checker.reference(body["parentUrn"], () => true, "a source or folder", "#/parentUrn");
  checkExtra(tenant, "folder", body["extraProperties"], "#/extraProperties", checker);
  checkTenant(body, tenant.name, "#", checker);
  checker.refuseIfFailed();
  const parent = body["parentUrn"] as Urn;
  const type = tenant.typeOf(parent);
  // 404 also when the parent source or folder does not exist (document 1, "Errors").
  if (type !== "source" && type !== "folder") throw notFound(`Source or folder ${parent} does not exist.`);
  return tenant.folders.put({
    urn: tenant.newUrn("catalog:folder"),
    ...without(body, ["extraProperties"]),
    extraProperties: mergeExtra({}, body["extraProperties"]),
  } as Folder);
}

function folderOf(tenant: Tenant, urn: string): Folder {
  const folder = tenant.folders.get(urn);
  if (folder === undefined) throw notFound(`Folder ${urn} does not exist.`);
  return folder;
}

function changeFolder(tenant: Tenant, urn: Urn, body: JsonObject): Folder {
  const folder = folderOf(tenant, urn);
  const checker = new Checker();
  checker.refuseFields(body, ["urn"], "#", "is read-only");
  if ("parentUrn" in body && body["parentUrn"] !== folder.parentUrn) {
    checker.fail("#/parentUrn", "The parent of a folder cannot be changed.");
  }
  if ("name" in body) checker.requiredText(body, "name", "#");
  checker.optional(body, "description", "string", "#", true);
  if (body["extraProperties"] !== null) {
    checkExtra(tenant, "folder", body["extraProperties"], "#/extraProperties", checker);
  }
  checkTenant(body, tenant.name, "#", checker);
  checker.refuseIfFailed();
  const merged = mergePatch(without(folder, ["extraProperties"]), without(body, ["extraProperties"]));
  const extraProperties = mergeExtra(folder.extraProperties, body["extraProperties"]);
  return tenant.folders.put({ ...(isObject(merged) ? merged : {}), extraProperties } as Folder);
}

/** The documents do not say what happens to what is in a folder: one that is not empty is refused. */
function deleteFolder(tenant: Tenant, urn: Urn): void {
  folderOf(tenant, urn);
  const key = `parent:${urn}`;
  if (tenant.folders.bucket(key).length > 0 || tenant.items.bucket(key).length > 0) {
    throw conflict(`Folder ${urn} is not empty.`);
  }
  tenant.stewards.delete(urn);
  tenant.formerStewards.delete(urn);
  tenant.folders.delete(urn);
}

function showFolder(tenant: Tenant, folder: Folder, asked: Requested): JsonObject {
  return { ...without(folder, ["extraProperties"]), ...requestedFields(tenant, folder, "folder", asked) };
}

export const folderRoutes = routesOf("catalog", "/api/catalog/v1", {
  "GET /folders": (call) => {
    const asked = requested(call, "folder", []);
    const parent = queryUrn(call, "parentUrn");
    return page(call, {
      name: `folders ${parent ?? ""}`,
      collection: call.tenant.folders,
      key: parent === undefined ? "" : `parent:${parent}`,
      render: (folder) => showFolder(call.tenant, folder, asked),
    });
  },
  "POST /folders": (call) =>
    created(showFolder(call.tenant, createFolder(call.tenant, bodyObject(call)), nothing)),
  "GET /folders/:urn": (call) => {
    const asked = requested(call, "folder", []);
    return ok(showFolder(call.tenant, folderOf(call.tenant, pathUrn(call)), asked));
  },
  "PATCH /folders/:urn": (call) =>
    ok(showFolder(call.tenant, changeFolder(call.tenant, pathUrn(call), bodyObject(call)), nothing)),
  "DELETE /folders/:urn": (call) => {
    deleteFolder(call.tenant, pathUrn(call));
    return noContent;
  },
});
