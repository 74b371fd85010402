import type { Urn } from "../../model/urn.ts";
import type { Collection } from "../collection.ts";
import type { Answer, Call } from "../http/call.ts";
import { compact, type Json, type JsonObject } from "../json.ts";
import { type Listing, page } from "../paging.ts";
import { invalid, notFound } from "../problem.ts";
import type { Tenant } from "../tenant.ts";
import { shownProperties } from "./extra-properties.ts";
import { parentOf, type Related, relatedFields } from "./related.ts";

/** What the generic interface shows of a resource, whichever collection keeps it. */
interface View {
  readonly urn: Urn;
  readonly type: string;
  readonly values: JsonObject;
}

function viewOf(tenant: Tenant, urn: Urn): View | undefined {
  const entity = tenant.entities.get(urn);
  if (entity !== undefined) return { urn, type: entity.concreteType, values: entity.properties };
  const term = tenant.terms.get(urn)?.published;
  if (term !== undefined)
    return view(urn, term.type, { name: term.name, description: term.description }, term);
  const item = tenant.items.get(urn);
  if (item !== undefined) {
    const { name, description, originPath } = item;
    return view(urn, item.type, { name, description, originPath }, item);
  }
  const attribute = tenant.attributes.get(urn);
  if (attribute !== undefined) {
    const { name, description, dataType, columnType } = attribute;
    return view(urn, "attribute", { name, description, dataType, columnType }, attribute);
  }
  const folder = tenant.folders.get(urn);
  if (folder === undefined) return undefined;
  return view(urn, "folder", { name: folder.name, description: folder.description }, folder);
}

function view(
  urn: Urn,
  type: string,
  fields: Readonly<Record<string, Json | undefined>>,
  resource: { readonly extraProperties: JsonObject },
): View {
  return { urn, type, values: { ...resource.extraProperties, ...compact(fields) } };
}

/** The envelope of document 1; only requested properties, parentUrn absent under the metadata root. */
export function showEntity(
  tenant: Tenant,
  urn: Urn,
  names: readonly string[],
  related: readonly Related[] = [],
): JsonObject {
  const found = viewOf(tenant, urn);
  if (found === undefined) throw notFound(`Entity ${urn} does not exist.`);
  return compact({
    urn,
    parentUrn: parentOf(tenant, urn),
    rootSuperType: tenant.model.rootOf(found.type),
    concreteType: found.type,
    properties: shownProperties(tenant, found.type, found.values, names),
    ...relatedFields(tenant, urn, related),
  });
}

/** Scalars, references and arrays only; a name that no type below `type` has is refused. */
export function checkRequestedProperties(tenant: Tenant, type: string, names: readonly string[]): void {
  for (const name of names) {
    const property = tenant.model.propertyBelow(type, name);
    if (property === undefined) throw invalid(`${name} is not a property of ${type}.`);
    if (property.type.endsWith("EMBEDDED")) throw invalid(`${name} is embedded and cannot be requested.`);
  }
}

/** A page of the entities whose type or root type it is, sorted by any scalar property. */
export function pageOfEntities(
  call: Call,
  type: string,
  parent: Urn | undefined,
  render: (urn: Urn) => Json,
): Answer {
  const { tenant } = call;
  const below = parent === undefined ? "" : ` parent:${parent}`;
  const from = <T extends { readonly urn: Urn }>(collection: Collection<T>, key: string): Answer => {
    const listing: Listing<T> = {
      name: `entities ${type}${below}`,
      collection,
      key,
      render: (value) => render(value.urn),
      sortBy: (field) => {
        if (tenant.model.propertyBelow(type, field)?.type !== "SCALAR") return undefined;
        return (value) => {
          const found = viewOf(tenant, value.urn)?.values[field];
          return typeof found === "object" || found === undefined ? null : found;
        };
      },
    };
    return page(call, listing);
  };
  const root = tenant.model.rootOf(type);
  const isBelow = ["catalogItem", "attribute", "folder", "dslQuery"].includes(root);
  const { allQueries } = tenant.quirks;
  const isHidden = allQueries === "roots" || (allQueries === "folders" && root !== "folder");
  if (isBelow && parent === undefined && isHidden) return from(tenant.entities, "none");
  switch (root) {
    case "term":
      return from(tenant.terms, parent === undefined ? `type:${type}` : "none");
    case "catalogItem":
      return from(tenant.items, `type:${type}${below}`);
    case "attribute":
      return from(tenant.attributes, parent === undefined ? "" : `item:${parent}`);
    case "folder":
      return from(tenant.folders, parent === undefined ? "" : `parent:${parent}`);
    case "dslQuery":
      if (parent === undefined && tenant.quirks.allQueries === "empty") return from(tenant.entities, "none");
      return from(tenant.entities, `type:${type}${below}`);
    default:
      return from(tenant.entities, `type:${type}${below}`);
  }
}
