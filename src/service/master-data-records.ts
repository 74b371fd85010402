import { z } from "zod";
import { spelt } from "../model/exact-number.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { child, isArray, isExact, isObject, own, plainNumber, text } from "../model/json.ts";
import { WrongShape } from "./shapes.ts";

/** An instance or master record as it was read (document 3, "Resources and their fields"). */
export interface StoredRecord {
  /** `metadata.id`, in decimal digits. */
  readonly id: string;
  /** `metadata.origin`, of instance records. */
  readonly origin: string | undefined;
  /** `attributes.source_id`, of instance records; undefined when the columns that were asked for leave it out. */
  readonly sourceId: string | undefined;
  /** `metadata.active`: the flag as it shows, whether by the source's word or by an override. */
  readonly isActive: boolean | undefined;
  /** `metadata.sourceTimestamp` as it is written there, of instance records. */
  readonly sourceTimestamp: string | undefined;
  readonly attributes: JsonObject;
  /** All of it, as it came: what nobody has named is there. */
  readonly body: JsonObject;
}

/** An entry of a record's history: valid from a moment on, until another or still. */
export interface HistoricalRecord extends StoredRecord {
  readonly validFrom: string | undefined;
  readonly validTo: string | undefined;
}

const id = z.preprocess(plainNumber, z.number());
const record = z.looseObject({
  type: z.string().nullish(),
  metadata: z.looseObject({
    id,
    origin: z.string().nullish(),
    active: z.boolean().nullish(),
    validFrom: z.string().nullish(),
    validTo: z.string().nullish(),
  }),
  attributes: z.looseObject({}),
});

/** The raw object is what callers get: a schema library reorders keys and drops `__proto__`. */
export function check(schema: z.ZodType, body: Json | undefined): JsonObject {
  if (!isObject(body)) throw new WrongShape(body === undefined ? "it is empty" : "it is no JSON object");
  const issue = schema.safeParse(body).error?.issues[0];
  if (issue === undefined) return body;
  const what = issue.code === "invalid_type" ? `is no ${issue.expected}` : "is not valid";
  throw new WrongShape(`/${issue.path.map(String).join("/")} ${what}`);
}

/** Throws WrongShape. */
export function toRecord(value: Json | undefined): StoredRecord {
  const body = check(record, value);
  const metadata = child(body, "metadata") ?? {};
  const attributes = child(body, "attributes") ?? {};
  const active = own(metadata, "active");
  const known = digits(own(metadata, "id"));
  if (known === undefined) throw new WrongShape("/metadata/id is no integer");
  return {
    id: known,
    origin: text(metadata, "origin"),
    // Some systems number their records, and the server may show that as a number.
    sourceId: text(attributes, "source_id") ?? plainDigits(own(attributes, "source_id")),
    isActive: typeof active === "boolean" ? active : undefined,
    sourceTimestamp: text(metadata, "sourceTimestamp"),
    attributes,
    body,
  };
}

export function toHistory(value: Json | undefined): HistoricalRecord {
  const found = toRecord(value);
  const metadata = child(found.body, "metadata") ?? {};
  return { ...found, validFrom: text(metadata, "validFrom"), validTo: text(metadata, "validTo") };
}

/**
 * Whether a body says of itself that something failed (document 3, "Errors": message and exception), whatever its status says. In one that
 * lists nothing besides, what failed would look like what is not there.
 */
export function isFailure(body: Json | undefined): boolean {
  if (!isObject(body)) return false;
  const says = (name: string): boolean => (text(body, name) ?? "") !== "";
  return (says("message") && says("exception")) || says("error") || child(body, "error") !== undefined;
}

/**
 * The records of a list. The document calls it "all records" and shows no envelope but for a record: an array, or an
 * object whose only array holds them. Anything else is no list, and never an empty one.
 */
export function toList(body: Json | undefined): readonly Json[] {
  if (isArray(body)) return body;
  if (!isObject(body)) throw new WrongShape(body === undefined ? "it is empty" : "it is no list");
  if (isFailure(body)) throw new WrongShape(ofAnError);
  const arrays = Object.values(body).filter((field) => isArray(field));
  const [only] = arrays;
  if (only === undefined || arrays.length > 1) throw new WrongShape("it is no list of records");
  return only;
}

export const ofAnError = "it tells of an error";

/** Parts of a record that hold no other one. */
const ownParts: ReadonlySet<string> = new Set(["metadata", "attributes"]);

/**
 * Records that came along by `preload`. Where they stand is not shown in the document: under `relationships`, as in a
 * write, under the name itself, or in another map by it. Undefined when they are in none of these places.
 */
export function preloaded(record: StoredRecord, relationship: string): readonly StoredRecord[] | undefined {
  const { body } = record;
  const places = [child(body, "relationships"), body];
  for (const [name, part] of Object.entries(body))
    if (isObject(part) && !ownParts.has(name)) places.push(part);
  for (const place of places) {
    const found = own(place ?? {}, relationship);
    if (found === null) return [];
    const records = found === undefined ? undefined : recordsIn(found);
    if (records !== undefined) return records;
  }
  return undefined;
}

/** Undefined where it is something else that goes by the same name: a link, say. */
function recordsIn(found: Json): readonly StoredRecord[] | undefined {
  try {
    return (isArray(found) ? found : [found]).map(toRecord);
  } catch (error) {
    if (error instanceof WrongShape) return undefined;
    throw error;
  }
}

/** An id as text, however large, and however its number is written: 1.0 and 1e0 are 1. */
export function digits(value: Json | undefined): string | undefined {
  return plainDigits(isExact(value) ? spelt(value) : value);
}

/** The same of what the source has made up itself: to that, 7.0 may be another one than 7. */
function plainDigits(value: Json | undefined): string | undefined {
  // JavaScript writes a long one with an exponent.
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value).toString();
  if (typeof value === "string" && /^-?\d+$/u.test(value)) return value;
  return isExact(value) && /^-?\d+$/u.test(value.rawJSON) ? value.rawJSON : undefined;
}
