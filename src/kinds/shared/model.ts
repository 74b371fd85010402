import { child, isArray, isObject, own, text, textsIn } from "../../model/json.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ReadClient } from "../../service/index.ts";
import type { Feed } from "../kind.ts";
import { all } from "./found.ts";

/** A property as the metadata model defines it (document 1, "Metadata model entity definition"). */
export interface PropertyDefinition {
  readonly name: string;
  /** SCALAR, SINGLE_EMBEDDED, ARRAY_EMBEDDED, SINGLE_REFERENCE, ARRAY_REFERENCE. */
  readonly type: string;
  /** The scalar type, or the type of what it refers to or holds. */
  readonly of: string;
  readonly editable: boolean;
}

export interface TypeDefinition {
  readonly name: string;
  /** False: the service makes entities of this type itself. */
  readonly editable: boolean;
  /** Direct parent first. */
  readonly supers: readonly string[];
  readonly nodePaths: readonly string[];
  /** By name; those of the types that it extends are among them, whether the model repeats them or not. */
  readonly properties: ReadonlyMap<string, PropertyDefinition>;
}

export type Model = ReadonlyMap<string, TypeDefinition>;

const known = new WeakMap<ReadClient, Promise<Model>>();
const arrived = new WeakMap<ReadClient, Model>();

/** The metadata model of an environment, read once for all kinds that are opened there. Throws what the client throws. */
export function modelOf(client: ReadClient): Promise<Model> {
  return known.get(client) ?? readAgain(client);
}

/** The same, as it is now. */
export function readAgain(client: ReadClient): Promise<Model> {
  const model = modelNow(client).then((read) => {
    arrived.set(client, read);
    return read;
  });
  remember(client, model);
  return model;
}

function remember(client: ReadClient, model: Promise<Model>): void {
  known.set(client, model);
  model.catch(() => known.delete(client)); // Whoever waits for it is told; the next one asks again.
}

/** As far as it was read by now, undefined before that: whatever was listed with it has waited for it. */
export function modelSoFar(client: ReadClient): Model | undefined {
  return arrived.get(client);
}

/** A listing whose reader knows what the client knows that a kind was opened with: both are of one environment. */
export function listingWith(client: ReadClient, feed: Feed): Feed {
  return {
    name: feed.name,
    pages(reader, context) {
      if (!known.has(reader)) remember(reader, modelOf(client));
      return feed.pages(reader, context);
    },
  };
}

/** As it is now, for a single question: whoever was opened with the model that there was goes on with that. */
export async function modelNow(client: ReadClient): Promise<Model> {
  const definitions = (await all(client.catalog.metadataModel())).map(definitionOf);
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  return new Map(
    definitions.map((definition) => {
      const inherited = definition.supers.flatMap((name) => [...(byName.get(name)?.properties ?? [])]);
      const properties = new Map([...inherited.reverse(), ...definition.properties]);
      return [definition.name, { ...definition, properties }];
    }),
  );
}

function definitionOf(body: JsonObject): TypeDefinition {
  const properties = own(body, "properties");
  const found = (isArray(properties) ? properties : []).filter(isObject).map(propertyOf);
  return {
    name: text(body, "name") ?? "",
    editable: own(body, "editable") !== false,
    supers: textsIn(body, "superEntities"),
    nodePaths: textsIn(body, "nodePaths"),
    properties: new Map(found.map((property) => [property.name, property])),
  };
}

function propertyOf(body: JsonObject): PropertyDefinition {
  return {
    name: text(body, "name") ?? "",
    type: text(body, "type") ?? "SCALAR",
    of: text(body, "scalarType") ?? text(body, "entityName") ?? "",
    editable: own(body, "editable") !== false,
  };
}

/** Children of an entity, and no values. */
export function isEmbedded({ type }: PropertyDefinition): boolean {
  return type.endsWith("_EMBEDDED");
}

/** It holds a list of values, not one. */
export function isListed({ type, of }: PropertyDefinition): boolean {
  return type.startsWith("ARRAY_") || of.endsWith("[]");
}

/** What follows from a model, once for each. */
export function ofModel<T>(find: (model: Model) => T): (model: Model) => T {
  const found = new WeakMap<Model, { readonly it: T }>();
  return (model) => {
    const before = found.get(model);
    if (before !== undefined) return before.it;
    const it = find(model);
    found.set(model, { it });
    return it;
  };
}

/** A type and all that extend it. */
export function typesOf(model: Model, name: string): readonly TypeDefinition[] {
  return [...model.values()].filter((type) => type.name === name || type.supers.includes(name));
}

/**
 * The types whose lists together show whatever is of these types or of one that extends them: a list shows what has the
 * type as its root or as its own, and nothing by a type between the two (document 1, GET /entities).
 */
export function typesToList(
  model: Model,
  names: readonly string[],
): readonly [name: string, line: readonly TypeDefinition[]][] {
  const isRoot = (name: string): boolean => model.get(name)?.supers.length === 0;
  const found = new Map<string, readonly TypeDefinition[]>();
  for (const name of names) {
    const line = typesOf(model, name);
    if (isRoot(name)) found.set(name, line);
    else for (const type of line) found.set(type.name, [type]);
  }
  return [...found].filter(([name]) => isRoot(name) || !found.has(model.get(name)?.supers.at(-1) ?? ""));
}

/**
 * Fields of bodies that hold objects and arrays (document 1, "Data shapes"). A scalar property of one of these names is
 * nobody's but the people's who defined it: the system that an item comes from, say, as its `source`.
 */
const structured: ReadonlySet<string> = new Set([
  "connection",
  "source",
  "termAssignments",
  "termDetectionDenylist",
  "locations",
  "folders",
  "primaryDqMonitor",
  "aliases",
  "detectionRules",
  "effectiveStewardship",
  "effectiveCriticality",
]);

/** Names of what can be written of these types, but for what stands in the body itself; sorted. */
export function writableNames(
  types: readonly TypeDefinition[],
  plain: readonly string[] = [],
): readonly string[] {
  const names = types.flatMap(({ properties }) =>
    [...properties.values()]
      .filter((property) => property.editable && !isEmbedded(property))
      .filter(({ name, type }) => !plain.includes(name) || (type === "SCALAR" && structured.has(name)))
      .map(({ name }) => name),
  );
  return [...new Set(names)].sort();
}

/** A patch with extra properties in it, as the service clears them. */
export function withCleared(body: JsonObject, types: readonly TypeDefinition[]): JsonObject {
  const extra = child(body, "extraProperties");
  return extra === undefined ? body : { ...body, extraProperties: cleared(extra, types) };
}

/** A scalar is cleared with null, an array with [] (document 1, "Extra properties"). */
export function cleared(values: JsonObject, types: readonly TypeDefinition[]): JsonObject {
  const isList = (name: string): boolean =>
    types.some(({ properties }) => {
      const property = properties.get(name);
      return property !== undefined && isListed(property);
    });
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null && isList(name) ? [] : value]),
  );
}
