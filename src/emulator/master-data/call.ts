import type { Answer, Tampering } from "../http/call.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { MasterData } from "./master-data.ts";
import type { EntityModel, MasterModel } from "./model.ts";
import { badRequest, noRecord, wrongUrl } from "./problems.ts";
import type { InstanceRow, MasterRow } from "./rows.ts";
import type { Table } from "./table.ts";

export interface Call {
  readonly data: MasterData;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Json | undefined;
  /** `{mdm_base}` */
  readonly baseUrl: string;
  readonly user: string;
  readonly tampering: Tampering;
}

/** Handlers run without a pause, so a request is committed as a whole or not at all. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `{mdm_base}`. */
  readonly path: string;
  readonly layer: "instance" | "master";
  readonly mutates: boolean;
  readonly handle: (call: Call) => Answer;
}

/** The routes of a layer as a table; `READ` is a POST that changes nothing. */
export function routesOf(layer: Route["layer"], table: Readonly<Record<string, Route["handle"]>>): Route[] {
  return Object.entries(table).map(([name, handle]) => {
    const [verb = "", path = ""] = name.split(" ");
    const reads = verb === "GET" || verb === "READ";
    const method = verb === "READ" ? "POST" : (verb as Route["method"]);
    return { method, path: `/api/rest${path}`, layer, mutates: !reads, handle };
  });
}

/** An entity of either layer as a request names it. */
export type Place =
  | {
      readonly layer: "instance";
      readonly entity: string;
      readonly model: EntityModel;
      readonly table: Table<InstanceRow>;
    }
  | {
      readonly layer: "master";
      readonly view: string;
      readonly entity: string;
      readonly model: MasterModel;
      readonly table: Table<MasterRow>;
    };
export type InstancePlace = Extract<Place, { layer: "instance" }>;
export type MasterPlace = Extract<Place, { layer: "master" }>;

/** 404 for a name that is not there. */
export function instancePlace({ data, params }: Call): InstancePlace {
  const { entity = "" } = params;
  const model = data.entityModel(entity);
  const table = data.instances(entity);
  if (model === undefined || table === undefined) throw wrongUrl(`There is no entity ${entity}.`);
  return { layer: "instance", entity, model, table };
}

export function masterPlace({ data, params }: Call): MasterPlace {
  const { view = "", entity = "" } = params;
  const model = data.masterModel(view, entity);
  const table = data.masters(entity);
  if (!data.model.views.some(({ name }) => name === view)) throw wrongUrl(`There is no master view ${view}.`);
  if (model === undefined || table === undefined)
    throw wrongUrl(`There is no entity ${entity} in the view ${view}.`);
  return { layer: "master", view, entity, model, table };
}

/** The record of `:id`, or of `:origin` and `:sourceId`. 400 when there is none. */
export function instanceOf(call: Call, place: InstancePlace): InstanceRow {
  const { id, origin, sourceId } = call.params;
  if (id !== undefined) return instanceById(place, id);
  const row = call.data.byKey(place.entity, withoutComma(origin), withoutComma(sourceId));
  if (row === undefined) throw noRecord(`${origin} ${sourceId}`);
  return row;
}

export function instanceById(place: InstancePlace, id: string): InstanceRow {
  const row = place.table.get(idOf(id));
  if (row === undefined) throw noRecord(id);
  return row;
}

/** By its own id, or by the key of an instance. */
export function masterOf(call: Call, place: MasterPlace): MasterRow {
  const { id, origin, sourceId } = call.params;
  if (id !== undefined) {
    const row = place.table.get(idOf(id));
    if (row === undefined) throw noRecord(id);
    return row;
  }
  const instance = call.data.byKey(place.entity, withoutComma(origin), withoutComma(sourceId));
  const row = instance?.masterId === undefined ? undefined : place.table.get(instance.masterId);
  if (row === undefined) throw noRecord(`${origin} ${sourceId}`);
  return row;
}

function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw badRequest(`${text} is no id.`);
  return Number(text);
}

/** The comma is the list separator: it cannot be in a value of a request. */
export function withoutComma(value: string | undefined): string {
  if (value === undefined || value === "" || value.includes(","))
    throw badRequest(`${value} cannot be used in a request.`);
  return value;
}

export function bodyObject({ body }: Call): JsonObject {
  if (!isObject(body)) throw badRequest("The body must be a JSON object.");
  return body;
}

export function emptyBody({ body }: Call): void {
  if (body !== undefined) throw badRequest("The body must be empty.");
}

export function onlyFields(object: JsonObject, known: readonly string[], what: string): void {
  const odd = Object.keys(object).find((key) => !known.includes(key));
  if (odd !== undefined) throw badRequest(`${what} has no ${odd}; it has ${known.join(", ")}.`);
}

/** Parameters that the document does not name for the request are refused. */
export function onlyParameters({ query }: Call, known: readonly string[]): void {
  for (const name of new Set(query.keys())) {
    if (!known.includes(name)) throw badRequest(`There is no parameter ${name} here.`);
    if (query.getAll(name).length > 1) throw badRequest(`The parameter ${name} is given twice.`);
  }
}
