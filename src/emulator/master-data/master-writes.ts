import { type Answer, ok } from "../http/call.ts";
import { isArray, isObject, sameJson, type Json, type JsonObject } from "../json.ts";
import type { Call, MasterPlace, Route } from "./call.ts";
import {
  bodyObject,
  emptyBody,
  masterOf,
  masterPlace,
  onlyFields,
  onlyParameters,
  routesOf,
} from "./call.ts";
import type { MasterData } from "./master-data.ts";
import { newMaster, settleMaster } from "./merge.ts";
import { type MasterModel, misfit, rolesOf, type Role } from "./model.ts";
import { badRequest, noRecord } from "./problems.ts";
import type { MasterRow } from "./rows.ts";

/** Document 3, "Modify", master views: records that a person authors. Those that are merged are the engine's own. */
export const masterWriteRoutes: readonly Route[] = routesOf("master", {
  "POST /master/:view/:entity": (call): Answer => {
    onlyParameters(call, []);
    const place = masterPlace(call);
    const body = bodyObject(call);
    onlyFields(body, ["attributes", "relationships"], "The body");
    const values = checkMaster(place.model, body["attributes"]);
    const related = relatedOf(call, place, body["relationships"]);
    const row = author(call, place.entity, values);
    const relationships: JsonObject = {};
    for (const { role, records } of related) {
      relationships[role.name] = records.map((record) => join(call, row, role, record));
    }
    settleMaster(call.data, row.entity, row.id);
    return ok({ result: "ok", records: { id: row.id, recordChange: "INSERT", relationships } });
  },
  "PUT /master/:view/:entity/:id": (call): Answer => {
    onlyParameters(call, []);
    const place = masterPlace(call);
    const body = bodyObject(call);
    onlyFields(body, ["attributes"], "The body");
    const row = authored(call, place);
    const named = checkMaster(place.model, body["attributes"]);
    const values = call.data.quirks.unnamed === "emptied" ? named : { ...row.authored.values, ...named };
    const isSame = sameJson(values, row.authored.values);
    if (!isSame) {
      row.authored = { ...row.authored, values };
      row.updated = call.data.nextMoment();
      settleMaster(call.data, row.entity, row.id);
    }
    return ok({ result: "ok", records: { id: row.id, recordChange: isSame ? "NONE" : "UPDATE" } });
  },
  "DELETE /master/:view/:entity/:id": (call): Answer => {
    onlyParameters(call, []);
    emptyBody(call);
    const place = masterPlace(call);
    const row = authored(call, place);
    place.table.delete(row);
    return ok({ result: "ok", records: { id: row.id, recordChange: "DELETE" } });
  },
});

function authored(
  call: Call,
  place: MasterPlace,
): MasterRow & { authored: NonNullable<MasterRow["authored"]> } {
  const row = masterOf(call, place);
  if (row.authored === undefined)
    throw badRequest(`Record ${row.id} is merged from instances, not authored.`);
  return row as MasterRow & { authored: NonNullable<MasterRow["authored"]> };
}

function author({ data, user }: Call, entity: string, values: JsonObject): MasterRow {
  return newMaster(data, entity, { values, by: user, active: true });
}

function checkMaster(model: MasterModel, values: Json | undefined): JsonObject {
  if (!isObject(values)) throw badRequest("attributes must be an object.");
  for (const [name, value] of Object.entries(values)) {
    const column = model.columns.find((one) => one.name === name);
    if (column === undefined)
      throw badRequest(`${name} is no attribute that can be written of ${model.name}.`);
    const why = misfit(column, value);
    if (why !== undefined) throw badRequest(why);
  }
  return values;
}

interface Related {
  readonly role: Role;
  readonly records: readonly ({ readonly existing: MasterRow } | { readonly values: JsonObject })[];
}

/** Records with attributes, which are authored too, or with the id of one that is there. */
function relatedOf(call: Call, { view, entity }: MasterPlace, value: Json | undefined): Related[] {
  if (value === undefined) return [];
  if (!isObject(value)) throw badRequest("relationships must be a map of arrays.");
  return Object.entries(value).map(([name, records]) => {
    const role = rolesOf(call.data.model, entity).find((one) => one.name === name);
    const model = role === undefined ? undefined : call.data.masterModel(view, role.entity);
    if (role === undefined || model === undefined) throw badRequest(`${entity} has no relationship ${name}.`);
    if (!isArray(records)) throw badRequest(`relationships/${name} must be an array.`);
    return {
      role,
      records: records.map((record) => {
        if (!isObject(record)) throw badRequest(`relationships/${name} must hold objects.`);
        onlyFields(record, ["id", "attributes"], "A related record");
        if (record["id"] === undefined) return { values: checkMaster(model, record["attributes"]) };
        const existing = call.data.masters(role.entity)?.get(Number(record["id"]));
        if (existing === undefined) throw noRecord(JSON.stringify(record["id"]));
        return { existing };
      }),
    };
  });
}

function join(call: Call, row: MasterRow, role: Role, record: Related["records"][number]): JsonObject {
  const other = "existing" in record ? record.existing : author(call, role.entity, record.values);
  linkMasters(call.data, row, role, other);
  return { id: other.id, recordChange: "existing" in record ? "NONE" : "INSERT" };
}

/** A child has one parent of a relationship: it leaves another one. */
export function linkMasters(
  data: MasterData,
  row: MasterRow,
  { relationship, leadsUp }: Role,
  other: MasterRow,
): void {
  const [parent, child] = leadsUp ? [other, row] : [row, other];
  const before = child.parents?.get(relationship.name);
  const old = before === undefined ? undefined : data.masters(relationship.parent)?.get(before);
  old?.children?.set(
    relationship.name,
    (old.children.get(relationship.name) ?? []).filter((id) => id !== child.id),
  );
  child.parents ??= new Map();
  child.parents.set(relationship.name, parent.id);
  parent.children ??= new Map();
  parent.children.set(relationship.name, [
    ...new Set([...(parent.children.get(relationship.name) ?? []), child.id]),
  ]);
}
