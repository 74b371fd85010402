import type { Json, JsonObject, MutableJson } from "../../src/model/json.ts";
import { isObject, setOwn } from "../../src/model/json.ts";
import type { Shape } from "../../src/model/shape.ts";

/**
 * A body before it has ids. The same sketch can be written down for the source, for the target, with other keys, in
 * another order or with what a server adds: so what two bodies have in common is known without asking the code under
 * test.
 */
export type Sketch =
  | { readonly is: "value"; readonly value: Json }
  /** The URN of an object of the estate; numbers stand for objects. */
  | { readonly is: "urn"; readonly of: number }
  /** A longer text with URNs in it. */
  | { readonly is: "text"; readonly parts: readonly (string | number)[] }
  /** Rich text: a number is an entityReference node. */
  | { readonly is: "rich"; readonly parts: readonly (string | number)[] }
  /** The bare UUID of an object. */
  | { readonly is: "uuid"; readonly of: number }
  /** The key of the sub-entity of the same body that has this id. */
  | { readonly is: "own"; readonly of: number }
  | { readonly is: "list"; readonly items: readonly Sketch[] }
  | Fields
  | { readonly is: "map"; readonly parts: readonly Part[] };

/** A field of this name has the URN of the object for its name. */
const namedByUrn = /^@([0-5])$/;

export interface Fields {
  readonly is: "object";
  readonly fields: readonly (readonly [name: string, value: Sketch])[];
}

export interface Part {
  readonly id: number;
  readonly body: Fields;
}

/** What the bodies of these tests are like: `rows` are sets at the top and inside the sub-entities of a top-level map. */
export const shape: Shape = {
  known: [],
  serverOwned: ["/urn", "/draftType", "/*/*/served"],
  sets: ["/rows", "/*/*/rows"],
  fixedInSubEntity: ["/fixedParts/*/ruleUrn"],
  memberwise: ["config"],
  labels: ["name", "label"],
};

export interface Writing {
  readonly tenant: string;
  /** UUID of an object. */
  readonly uuid: (object: number) => string;
  /** Key of a sub-entity. */
  readonly key: (id: number) => string;
  /** Another order wherever order means nothing. */
  readonly order?: <T>(items: readonly T[]) => readonly T[];
  /** What a server fills in and what means "not set". */
  readonly served?: boolean;
}

export function urnOf(writing: Pick<Writing, "tenant" | "uuid">, object: number): string {
  return `urn:data:${writing.tenant}:catalog:thing:${writing.uuid(object)}`;
}

/** The sub-entities of a sketch, those of their own included. */
export function partsOf(sketch: Sketch): readonly Part[] {
  switch (sketch.is) {
    case "list":
      return sketch.items.flatMap(partsOf);
    case "object":
      return sketch.fields.flatMap(([, field]) => partsOf(field));
    case "map":
      return sketch.parts.flatMap((part) => [part, ...partsOf(part.body)]);
    default:
      return [];
  }
}

export function write(sketch: Fields, writing: Writing): JsonObject {
  const body = new Writer(writing, partsOf(sketch)).object(sketch, []);
  if (writing.served !== true) return body;
  return { urn: urnOf(writing, 0), draftType: "NONE", ...body, unset: null, empty: [], hollow: {} };
}

class Writer {
  readonly #writing: Writing;
  readonly #ids: ReadonlySet<number>;

  constructor(writing: Writing, parts: readonly Part[]) {
    this.#writing = writing;
    this.#ids = new Set(parts.map(({ id }) => id));
  }

  object(sketch: Fields, path: readonly string[]): JsonObject {
    const result: MutableJson = {};
    for (const [name, field] of this.#order(sketch.fields))
      setOwn(result, this.#name(name), this.#value(field, [...path, name]));
    return result;
  }

  #name(name: string): string {
    const of = namedByUrn.exec(name)?.[1];
    return of === undefined ? name : urnOf(this.#writing, Number(of));
  }

  #value(sketch: Sketch, path: readonly string[]): Json {
    const { uuid } = this.#writing;
    switch (sketch.is) {
      case "value":
        return sketch.value;
      case "urn":
        return urnOf(this.#writing, sketch.of);
      case "uuid":
        return uuid(sketch.of);
      case "text":
        return sketch.parts
          .map((part) => (typeof part === "number" ? urnOf(this.#writing, part) : part))
          .join(" ");
      case "rich":
        return JSON.stringify(sketch.parts.map((part) => node(part, uuid)));
      case "own":
        return this.#own(sketch.of);
      case "list": {
        const items = sketch.items.map((item) => this.#value(item, [...path, "*"]));
        return isSet(items, path) ? this.#order(items) : items;
      }
      case "object":
        return this.object(sketch, path);
      case "map":
        return this.#map(sketch.parts, path);
    }
  }

  #own(of: number): string {
    return this.#ids.has(of) ? this.#writing.key(of) : "no sub-entity";
  }

  #map(parts: readonly Part[], path: readonly string[]): JsonObject {
    const { key, served, tenant } = this.#writing;
    const entries = this.#order(parts).map((part): [string, Json] => {
      const name = key(part.id);
      const body = this.object(part.body, [...path, name]);
      if (served !== true) return [name, body];
      const own = {
        urn: `urn:data:${tenant}:data-quality:part:${name}`,
        correlationId: sent.key(part.id),
        unset: null,
      };
      return [name, { ...own, ...body, ...(path.length === 1 ? { served: "by the service" } : {}) }];
    });
    return Object.fromEntries(entries);
  }

  #order<T>(items: readonly T[]): readonly T[] {
    return this.#writing.order?.(items) ?? items;
  }
}

function node(part: string | number, uuid: (object: number) => string): Json {
  if (typeof part === "string") return { type: "paragraph", children: [{ text: part }] };
  return { type: "entityReference", gid: uuid(part), entityName: `object ${part}` };
}

function isSet(items: readonly Json[], path: readonly string[]): boolean {
  if (items.every((item) => typeof item !== "object")) return true;
  return path.at(-1) === "rows" && (path.length === 1 || path.length === 3);
}

/** A UUID for a number, with a digit that says what it is for. */
export function uuidFor(family: string, number: number): string {
  return `${family.repeat(8)}-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** Deterministic orders from a number, so that a failure comes back. */
export function shuffler(seed: number): <T>(items: readonly T[]) => readonly T[] {
  let state = seed % 2_147_483_647 || 1;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647);
  return (items) =>
    items
      .map((item) => ({ item, order: next() }))
      .sort((left, right) => left.order - right.order)
      .map(({ item }) => item);
}

export const atSource: Writing = {
  tenant: "dev",
  uuid: (object) => uuidFor("a", object),
  key: (id) => uuidFor("c", id),
};

/** As the service keeps it at the target. */
export const atTarget: Writing = {
  tenant: "prod",
  uuid: (object) => uuidFor("b", object),
  key: (id) => uuidFor("d", id),
};

/** As it is sent to the target before the service has assigned keys. */
export const sent: Writing = { ...atTarget, key: (id) => `new_${uuidFor("c", id)}` };

/** Whether two values are the same, own `__proto__` fields and all, whatever the order of fields. */
export function same(left: Json | undefined, right: Json | undefined): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length && left.every((item: Json, index) => same(item, right[index] as Json))
    );
  }
  if (!isObject(left) || !isObject(right)) return Object.is(left, right) || left === right;
  const [one, other] = [Object.entries(left), new Map(Object.entries(right))];
  return (
    one.length === other.size && one.every(([name, value]) => other.has(name) && same(value, other.get(name)))
  );
}
