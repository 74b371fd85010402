import type { Json, JsonObject } from "../model/json.ts";
import { isArray, isObject, own, text } from "../model/json.ts";
import { isFailure } from "./master-data-records.ts";

/** Columns and relationships of an entity, as far as they can be told: the document does not show the shape. */
export interface EntityMetadata {
  /** Undefined when the answer names none in a form that is known. */
  readonly columns: readonly NamedThing[] | undefined;
  readonly relationships: readonly NamedThing[] | undefined;
  readonly body: JsonObject;
}

export interface NamedThing {
  readonly name: string;
  /** The type of a column, the entity that a relationship leads to; undefined when that is not said. */
  readonly leadsTo: string | undefined;
}

export function toMetadata(body: JsonObject): EntityMetadata {
  return {
    columns: named(own(body, "columns"), ["type", "dataType"]),
    relationships: named(own(body, "relationships"), ["entity", "target", "type"]),
    body,
  };
}

/** The names in a list of entities or views; undefined when they are in no form that is known. */
export function toNames(body: Json | undefined): readonly string[] | undefined {
  if (isFailure(body)) return undefined;
  const arrays = isObject(body) ? Object.values(body).filter((field) => isArray(field)) : [body];
  return arrays.length === 1 ? named(arrays[0], [])?.map(({ name }) => name) : undefined;
}

/** Texts, or objects with a name, or a map whose keys are the names. */
function named(value: Json | undefined, says: readonly string[]): readonly NamedThing[] | undefined {
  const entries: readonly (readonly [string | undefined, Json])[] | undefined = isArray(value)
    ? value.map((entry) => [nameOf(entry), entry])
    : isObject(value)
      ? Object.entries(value)
      : undefined;
  const found: NamedThing[] = [];
  for (const [name, entry] of entries ?? []) {
    // One that has no name: the form is another one, and a part of it would look like all.
    if (name === undefined) return undefined;
    const leadsTo = isObject(entry)
      ? says.map((field) => text(entry, field)).find((said) => said !== undefined)
      : undefined;
    found.push({ name, leadsTo });
  }
  return entries === undefined ? undefined : found;
}

function nameOf(entry: Json): string | undefined {
  if (typeof entry === "string") return entry;
  return isObject(entry) ? (text(entry, "name") ?? text(entry, "columnName")) : undefined;
}
