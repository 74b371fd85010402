import { type Answer, ok } from "../http/call.ts";
import { isArray, isObject, type Json, type JsonObject } from "../json.ts";
import type { Call, InstancePlace, Route } from "./call.ts";
import {
  bodyObject,
  emptyBody,
  instanceById,
  instanceOf,
  instancePlace,
  onlyFields,
  onlyParameters,
  routesOf,
  withoutComma,
} from "./call.ts";
import { checkSource } from "./identify.ts";
import { asText } from "./master-data.ts";
import { type EntityModel, rolesOf, type Role } from "./model.ts";
import { badRequest } from "./problems.ts";
import type { InstanceRow } from "./rows.ts";
import { sourceTime } from "./timestamps.ts";
import { insertInstance, link, removeInstance, updateInstance } from "./write.ts";

/** Document 3, "Modify", instance layer. POST and PUT are one: whether the record is there decides. */
export const instanceWriteRoutes: readonly Route[] = routesOf("instance", {
  "POST /instance/:entity": write,
  "PUT /instance/:entity": write,
  "POST /instance/:entity/:id": write,
  "PUT /instance/:entity/:id": write,
  "POST /instance/:entity/:origin/:sourceId": write,
  "PUT /instance/:entity/:origin/:sourceId": write,
  "DELETE /instance/:entity/:id": remove,
  "DELETE /instance/:entity/:origin/:sourceId": remove,
});

interface Wanted {
  readonly entity: string;
  readonly origin: string;
  readonly sourceId: string;
  readonly existing: InstanceRow | undefined;
  /** Undefined where the request says nothing of them. */
  readonly source: JsonObject | undefined;
  readonly time: number | undefined;
}

interface Related extends Wanted {
  readonly role: Role;
}

type Action = "INSERT" | "UPDATED" | "NONE";

/** Everything is checked before anything is done: a request is committed as a whole. */
function write(call: Call): Answer {
  onlyParameters(call, []);
  const { data } = call;
  const place = instancePlace(call);
  const body = bodyObject(call);
  onlyFields(
    body,
    ["id", "origin", "source_id", "source_timestamp", "attributes", "relationships"],
    "The body",
  );
  if (data.quirks.commas === "refused") refuseCommas(body);
  const main = mainOf(call, place, body);
  const related = relatedOf(call, place.model, body["relationships"]);
  const [row, action] = store(call, main);
  const done = related.map((one) => {
    const [other, change] = store(call, one);
    const { relationship, leadsUp } = one.role;
    const isNew = leadsUp ? link(data, relationship, other, row) : link(data, relationship, row, other);
    return { one, other, change: change === "NONE" && isNew ? ("UPDATED" as const) : change };
  });
  const isInsert = action === "INSERT";
  const key = { id: row.id, origin: row.origin, source_id: row.sourceId };
  if (data.quirks.writeAnswers === "older") {
    const relationships = isInsert ? {} : { relationships: showRelated(done) };
    return ok({ result: "ok", records: { entity: { action, ...key }, ...relationships } });
  }
  const attributes = { master_id: row.masterId ?? null };
  if (isInsert) return ok({ result: "ok", records: { ...key, recordChange: "INSERT", attributes } });
  return ok({
    result: "ok",
    records: { entity: { action, ...key, attributes }, relationships: showRelated(done) },
  });
}

function remove(call: Call): Answer {
  onlyParameters(call, []);
  emptyBody(call);
  const row = instanceOf(call, instancePlace(call));
  const action = removeInstance(call.data, row) ? "DEACTIVATED" : "NONE";
  const { id, origin, sourceId } = row;
  return ok({ result: "ok", records: { entity: { id, origin, source_id: sourceId, action } } });
}

/** By id, or by origin and source id; in the URI, in the body, or one here and one there. They must not disagree. */
function mainOf(call: Call, place: InstancePlace, body: JsonObject): Wanted {
  const { params } = call;
  const id = agreed("id", params["id"], asText(body["id"]));
  const origin = agreed("origin", params["origin"], body["origin"]);
  const sourceId = agreed("source_id", params["sourceId"], body["source_id"]);
  const source = body["attributes"] === undefined ? undefined : checkSource(place.model, body["attributes"]);
  const time = timeOf(call, body);
  if (id !== undefined) {
    // Ids are generated: one that is not there cannot be created.
    const existing = instanceById(place, id);
    if (
      (origin ?? existing.origin) !== existing.origin ||
      (sourceId ?? existing.sourceId) !== existing.sourceId
    )
      throw badRequest(`Record ${id} has another origin or source_id.`);
    return {
      entity: place.entity,
      origin: existing.origin,
      sourceId: existing.sourceId,
      existing,
      source,
      time,
    };
  }
  if (origin === undefined || sourceId === undefined)
    throw badRequest("A record is identified by id, or by origin and source_id.");
  const wanted = keyed(call, place.entity, origin, sourceId);
  if (wanted.existing === undefined && body["attributes"] === undefined)
    throw badRequest("attributes is required when a record is inserted.");
  return { ...wanted, source, time };
}

function keyed(
  { data }: Call,
  entity: string,
  origin: string,
  sourceId: string,
): Pick<Wanted, "entity" | "origin" | "sourceId" | "existing"> {
  withoutComma(origin);
  withoutComma(sourceId);
  const existing = data.byKey(entity, origin, sourceId);
  if (!/^[^#]+#[^#]+#[^#]+$/.test(origin))
    throw badRequest(`${origin} is no origin: <source>#<area>#<entity>.`);
  const { origins } = data.quirks;
  if (origins !== undefined && !origins.includes(origin)) throw badRequest(`There is no origin ${origin}.`);
  return { entity, origin, sourceId, existing };
}

function relatedOf(call: Call, { name: entity }: EntityModel, value: Json | undefined): Related[] {
  if (value === undefined) return [];
  if (!isObject(value)) throw badRequest("relationships must be a map of arrays.");
  const roles = rolesOf(call.data.model, entity);
  return Object.entries(value).flatMap(([name, records]) => {
    const role = roles.find((one) => one.name === name);
    const model = role === undefined ? undefined : call.data.entityModel(role.entity);
    if (role === undefined || model === undefined) throw badRequest(`${entity} has no relationship ${name}.`);
    if (!isArray(records)) throw badRequest(`relationships/${name} must be an array.`);
    if (role.leadsUp && records.length > 1) throw badRequest(`${entity} has one ${name} only.`);
    return records.map((record): Related => {
      if (!isObject(record)) throw badRequest(`relationships/${name} must hold objects.`);
      onlyFields(record, ["origin", "source_id", "source_timestamp", "attributes"], "A related record");
      const origin = agreed("origin", undefined, record["origin"]);
      const sourceId = agreed("source_id", undefined, record["source_id"]);
      if (origin === undefined || sourceId === undefined)
        throw badRequest(`A record under ${name} needs origin and source_id.`);
      const said = checkSource(model, record["attributes"] ?? {});
      // A related record comes with attributes; none in them is as much as nothing.
      const source = Object.keys(said).length === 0 ? undefined : said;
      return { ...keyed(call, role.entity, origin, sourceId), role, source, time: timeOf(call, record) };
    });
  });
}

/** What two places say of one thing; they may both say it. */
function agreed(what: string, inUri: string | undefined, inBody: Json | undefined): string | undefined {
  if (inBody !== undefined && typeof inBody !== "string") throw badRequest(`${what} must be a string.`);
  if (inUri !== undefined && inBody !== undefined && inUri !== inBody)
    throw badRequest(`${what} is ${inUri} in the URI and ${inBody} in the body.`);
  return inUri ?? inBody;
}

function timeOf({ data }: Call, body: JsonObject): number | undefined {
  const text = body["source_timestamp"];
  return text === undefined ? undefined : sourceTime(text, data.quirks.zoneMinutes);
}

function store({ data }: Call, wanted: Wanted): readonly [InstanceRow, Action] {
  const { entity, origin, sourceId, source, time } = wanted;
  // Another record of the same request may have made it.
  const existing = wanted.existing ?? data.byKey(entity, origin, sourceId);
  if (existing === undefined) {
    const row = insertInstance(data, { entity, origin, sourceId, source: source ?? {}, sourceTime: time });
    return [row, "INSERT"];
  }
  return [existing, updateInstance(data, existing, source, time) ? "UPDATED" : "NONE"];
}

function showRelated(
  done: readonly { readonly one: Related; readonly other: InstanceRow; readonly change: Action }[],
): JsonObject {
  const shown: JsonObject = {};
  for (const [name, records] of Map.groupBy(done, ({ one }) => one.role.name)) {
    const entries = records.map(({ other, change }) => ({
      entity: { action: change, id: other.id, origin: other.origin, source_id: other.sourceId },
    }));
    // The document shows one; how several stand there is not shown.
    const [only] = entries;
    shown[name] = entries.length === 1 && only !== undefined ? only : entries;
  }
  return shown;
}

function refuseCommas(value: Json): void {
  if (typeof value === "string" && value.includes(",")) throw badRequest("Values cannot contain a comma.");
  if (isArray(value)) for (const entry of value) refuseCommas(entry);
  else if (isObject(value)) for (const field of Object.values(value)) refuseCommas(field);
}
