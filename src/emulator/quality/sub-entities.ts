import { isUuid } from "../../model/urn.ts";
import type { Checker } from "../check.ts";
import {
  asText,
  entryOf,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  pointerStep,
  setEntry,
} from "../json.ts";
import type { Tenant } from "../tenant.ts";

/** Where in a resource the maps of sub-entities are; everything else is an open tree. */
export interface Shape {
  /** The field and type of the URN that a sub-entity gets; its UUID is the sub-entity's key. */
  readonly urn?: { readonly field: string; readonly type: string };
  /** Fields that the server fills: ignored when they are sent back. */
  readonly ignored?: readonly string[];
  readonly maps?: Readonly<Record<string, Shape>>;
  readonly objects?: Readonly<Record<string, Shape>>;
}

/** The key of a sub-entity as the request wrote it, for pointers into the request. */
export type AsWritten = (key: string) => string;

const open: Shape = {};
const temporary = /^new_[A-Za-z0-9_-]{1,36}$/;

/**
 * Merges a body into a resource by the rules of document 2, "Sub-entity identifiers" and "Update rules". A map
 * that no shape names is known by its keys: UUIDs, or temporary keys.
 */
export class Merge {
  readonly #tenant: Tenant;
  readonly #checker: Checker;
  /** Temporary keys are unique within the request: the items of a batch share this set. */
  readonly #taken: Set<string>;
  /** Temporary key to the key assigned. */
  readonly assigned = new Map<string, string>();

  constructor(tenant: Tenant, checker: Checker, taken: Set<string>) {
    this.#tenant = tenant;
    this.#checker = checker;
    this.#taken = taken;
  }

  object(shape: Shape, before: Json | undefined, patch: JsonObject, pointer: string): JsonObject {
    const known = isObject(before) ? before : {};
    const result: JsonObject = { ...known };
    for (const [key, value] of Object.entries(patch)) {
      // correlationId is a field of answers only.
      if (key === "correlationId" || key === shape.urn?.field || shape.ignored?.includes(key) === true)
        continue;
      const place = `${pointer}/${pointerStep(key)}`;
      const map = entryOf(shape.maps, key);
      const object = entryOf(shape.objects, key);
      const there = entryOf(known, key);
      if (value === null) delete result[key];
      else if (map !== undefined || isMap(value, there)) {
        setEntry(result, key, this.#map(map ?? open, there, value, place));
      } else if (object !== undefined && !isObject(value))
        this.#checker.fail(place, `${key} must be an object.`);
      else if (isObject(value)) setEntry(result, key, this.object(object ?? open, there, value, place));
      else setEntry(result, key, value);
    }
    return result;
  }

  #map(shape: Shape, before: Json | undefined, patch: Json, pointer: string): JsonObject {
    const known = isObject(before) ? before : {};
    const result: JsonObject = { ...known };
    if (!isObject(patch)) {
      this.#checker.fail(pointer, "A map of sub-entities must be an object.");
      return result;
    }
    for (const [key, value] of Object.entries(patch)) {
      const place = `${pointer}/${pointerStep(key)}`;
      if (isUuid(key)) this.#existing(shape, known, result, key, value, place);
      else if (temporary.test(key)) this.#added(shape, result, key, value, place);
      else
        this.#checker.fail(
          place,
          `${key} is neither an existing key nor new_ with 1 to 36 of A-Z a-z 0-9 _ -.`,
        );
    }
    return result;
  }

  #existing(
    shape: Shape,
    known: JsonObject,
    result: JsonObject,
    key: string,
    value: Json,
    place: string,
  ): void {
    const before = known[key];
    if (before === undefined) {
      this.#checker.fail(
        place,
        `${key} does not exist here; a new sub-entity takes a key that starts with new_.`,
      );
    } else if (value === null) delete result[key];
    else if (isObject(value)) {
      const field = shape.urn?.field ?? "urn";
      const urn = value[field];
      if (urn !== undefined && urn !== null && !asText(urn).endsWith(`:${key}`)) {
        this.#checker.fail(`${place}/${field}`, `The URN of a sub-entity must match its key ${key}.`);
      } else if (typeof urn === "string" && isObject(before) && urn !== before[field]) {
        this.#checker.fail(`${place}/${field}`, `${urn} is not the URN of this sub-entity.`);
      }
      result[key] = this.object(shape, before, value, place);
    } else this.#checker.fail(place, "A sub-entity must be an object, or null to delete it.");
  }

  #added(shape: Shape, result: JsonObject, key: string, value: Json, place: string): void {
    if (this.#taken.has(key)) this.#checker.fail(place, `${key} is used more than once in this request.`);
    this.#taken.add(key);
    if (!isObject(value)) {
      this.#checker.fail(place, "A new sub-entity must be an object.");
      return;
    }
    const field = shape.urn?.field ?? "urn";
    if (typeof value[field] === "string") {
      this.#checker.fail(
        `${place}/${field}`,
        `${value[field]} does not match the key ${key}: the server assigns it.`,
      );
    }
    const uuid = this.#tenant.newUuid();
    this.assigned.set(key, uuid);
    const urn = shape.urn === undefined ? {} : { [field]: this.#tenant.urnFor(shape.urn.type, uuid) };
    result[uuid] = { ...urn, ...this.object(shape, undefined, value, place) };
  }

  readonly asWritten: AsWritten = (key) => {
    for (const [temporaryKey, uuid] of this.assigned) if (uuid === key) return temporaryKey;
    return key;
  };

  /** The map of a batch result; absent when no sub-entity was created. */
  correlationIds(): { readonly correlationIds?: JsonObject } {
    return this.assigned.size === 0 ? {} : { correlationIds: Object.fromEntries(this.assigned) };
  }

  /** A copy of an answer in which every sub-entity of this request carries its temporary key. */
  withCorrelation(value: JsonObject): JsonObject {
    if (this.assigned.size === 0) return value;
    const byKey = new Map([...this.assigned].map(([temporaryKey, uuid]) => [uuid, temporaryKey]));
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => {
        const correlationId = byKey.get(key);
        if (!isObject(field)) return [key, field];
        const marked = this.withCorrelation(field);
        return [key, correlationId === undefined ? marked : { ...marked, correlationId }];
      }),
    );
  }
}

/** A map of sub-entities that no shape names. */
function isMap(value: Json, before: Json | undefined): boolean {
  if (isArray(value) || !isObject(value)) return false;
  if (Object.keys(value).some((key) => isUuid(key) || key.startsWith("new_"))) return true;
  const keys = isObject(before) ? Object.keys(before) : [];
  return keys.length > 0 && keys.every(isUuid);
}

/** The entries of a map of sub-entities. */
export function entriesOf(object: JsonObject | undefined, key: string): [string, JsonObject][] {
  const map = object?.[key];
  if (!isObject(map)) return [];
  return Object.entries(map).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
}
