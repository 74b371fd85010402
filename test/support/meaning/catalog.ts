import type { Json, Tenant } from "../../../src/emulator/index.ts";
import type { Thing } from "./describer.ts";
import { writable } from "./excluded.ts";
import { isObject, text } from "./json.ts";

/** What a plan makes of queries, for the source side. */
export type Queries = readonly { readonly pattern: string; readonly replace: string }[];

/** What is imported or made by the service itself, and is no content of anybody's. */
const given = new Set(["source", "connection", "location", "group", "detectionRule", "dslQuery"]);

/**
 * What people made and wrote in the catalog beside the glossary: folders, SQL items with their queries and attributes,
 * entities, words over items and attributes, stewards, denials.
 */
export function* catalogOf(
  tenant: Tenant,
  nameOf: (urn: string) => string,
  queries: Queries,
): Generator<Thing> {
  for (const { urn, name, description, parentUrn, extraProperties } of tenant.folders.values()) {
    const body = {
      name,
      description,
      parentUrn,
      extraProperties: writable(tenant, "folder", extraProperties),
    };
    yield thing(urn, "folders", nameOf(urn), body);
  }
  const inFolder = new Set<string>();
  for (const item of tenant.items.values()) {
    const { urn, type, description, aliases, extraProperties } = item;
    const written = {
      description,
      aliases: [...aliases],
      extraProperties: writable(tenant, type, extraProperties),
    };
    if (!tenant.folders.has(item.parentUrn)) {
      yield* said(urn, "item-metadata", `written over ${nameOf(urn)}`, written);
      continue;
    }
    inFolder.add(urn);
    const [query] = tenant.entities.valuesIn(`type:dslQuery parent:${urn}`);
    const columns = tenant.attributes.valuesIn(`item:${urn}`);
    yield thing(urn, "sql-items", `SQL ${nameOf(urn)}`, {
      ...written,
      name: item.name,
      folder: item.parentUrn,
      connection: item.connectionUrn,
      query: queries.reduce(
        (sql, { pattern, replace }) => sql.replace(new RegExp(pattern, "gu"), replace),
        text(query?.properties, "query"),
      ),
      columns: columns.map(({ name, dataType, columnType }) => `${name} ${dataType} ${columnType}`).sort(),
    });
  }
  for (const { urn, description, extraProperties, termDetectionDenylist } of tenant.attributes.values()) {
    const extra = writable(tenant, "attribute", extraProperties);
    yield* said(urn, "attribute-metadata", `written over ${nameOf(urn)}`, {
      description,
      extraProperties: extra,
    });
    const denied = termDetectionDenylist.map(nameOf).sort();
    yield* said(urn, "term-denylist", `denied at ${nameOf(urn)}`, { denied });
  }
  for (const { urn, concreteType, parentUrn, parentProperty, properties } of tenant.entities.values()) {
    if (given.has(concreteType)) continue;
    const body = {
      concreteType,
      parentUrn,
      parentProperty,
      properties: writable(tenant, concreteType, properties),
    };
    yield thing(urn, "entities", `entity ${nameOf(urn)}`, body);
  }
  for (const [urn, group] of tenant.stewards) {
    const name = tenant.entities.get(group)?.properties["name"];
    yield thing(urn, "stewardship", `steward of ${nameOf(urn)}`, { group: name ?? group });
  }
}

function thing(
  urn: string,
  kind: string,
  label: string,
  fields: Readonly<Record<string, Json | undefined>>,
): Thing {
  const set = Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined);
  return { urn, kind, label, body: Object.fromEntries(set) };
}

/** Nothing at all where nobody has said anything. */
function* said(...[urn, kind, label, fields]: Parameters<typeof thing>): Generator<Thing> {
  const isSaid = (value: Json | undefined): boolean =>
    value !== undefined &&
    !(Array.isArray(value) && value.length === 0) &&
    !(isObject(value) && Object.keys(value).length === 0);
  if (Object.values(fields).some(isSaid)) yield thing(urn, kind, label, fields);
}
