import { isUrn, type Urn } from "../../model/urn.ts";
import type { Area } from "../client.ts";
import type { Row } from "../collection.ts";
import { isArray, isObject, type Json, type JsonObject } from "../json.ts";
import { invalid } from "../problem.ts";
import type { Tenant } from "../tenant.ts";

/** What a fault changes in how a request is handled, beyond its answer. */
export interface Tampering {
  /** Rows that a stale list does not show yet. */
  readonly hides?: (row: Row<unknown>) => boolean;
  readonly repeatsCursor?: boolean;
  /** How many items of an independent batch are committed before the rest is lost. */
  readonly commitLimit?: number;
}

export interface Call {
  readonly tenant: Tenant;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Json | undefined;
  /** `http://127.0.0.1:PORT/<tenant>` */
  readonly baseUrl: string;
  readonly tampering: Tampering;
}

export interface Answer {
  readonly status: number;
  readonly body?: Json;
  /** A page in place of JSON. */
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Handlers run without a pause, so a request is committed as a whole or not at all. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the tenant, for example `/api/catalog/v1/terms/:urn`. */
  readonly path: string;
  readonly area: Area;
  readonly mutates: boolean;
  readonly handle: (call: Call) => Answer;
}

type Handler = (call: Call) => Answer;

/** The routes of one interface, written as a table. */
export function routesOf(area: Area, base: string, table: Readonly<Record<string, Handler>>): Route[] {
  return Object.entries(table).map(([name, handle]) => {
    const [verb = "", path = ""] = name.split(" ");
    const reads = verb === "GET" || verb === "QUERY";
    const method = verb === "QUERY" ? "POST" : (verb as Route["method"]);
    return { method, path: `${base}${path}`, area, mutates: !reads, handle };
  });
}

export function ok(body: Json): Answer {
  return { status: 200, body };
}

export function created(body: Json): Answer {
  return { status: 201, body };
}

export const noContent: Answer = { status: 204 };

export function bodyObject(call: Call): JsonObject {
  if (!isObject(call.body)) throw invalid("The body must be a JSON object.", "#");
  return call.body;
}

/** The array of a batch request: 1 to 100 items (documents 1 and 2, "Limits"). */
export function batchItems(body: JsonObject, key: string): Json[] {
  const items = body[key];
  if (!isArray(items)) throw invalid(`${key} is required and must be an array.`, `#/${key}`);
  if (items.length < 1 || items.length > 100) {
    throw invalid(`${key} must have 1 to 100 items, not ${items.length}.`, `#/${key}`);
  }
  return items;
}

/** The URN in a path: a malformed one is refused with 400 (document 2, "Errors"). */
export function pathUrn(call: Call, name = "urn"): Urn {
  const value = call.params[name] ?? "";
  if (!isUrn(value)) throw invalid(`${value} is not a URN.`);
  return value;
}

/** A comma-separated query parameter; the empty list when it is absent. */
export function queryList(call: Call, name: string): string[] {
  const value = call.query.get(name);
  if (value === null || value === "") return [];
  return value.split(",").map((entry) => entry.trim());
}

/** A URN in a query parameter; undefined when the parameter is absent. */
export function queryUrn(call: Call, name: string): Urn | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  if (!isUrn(value)) throw invalid(`${name} must be a URN, not ${value}.`);
  return value;
}
