import type { JsonObject } from "../../model/json.ts";
import { child, own, text } from "../../model/json.ts";
import { referenced } from "../../model/walk.ts";
import type { Page, ReadClient } from "../../service/index.ts";
import { attributeFields } from "./attribute-feed.ts";
import { itemsOf } from "./found.ts";
import { itemFields } from "./item-fields.ts";
import type { Model } from "./model.ts";

/** What stands below a parent, and has a list of its own in the documents (document 1). */
interface Listing {
  readonly pages: (client: ReadClient, extraProperties: readonly string[]) => AsyncIterable<Page>;
  /** Of the things themselves: the model may call them properties, and what they refer to stands in the thing; none is an extra one. */
  readonly fields: readonly string[];
}

const listings: Readonly<Record<string, Listing>> = {
  catalogItem: {
    pages: (client, extraProperties) =>
      client.catalog.filterCatalogItems({ name: { isNotNull: true } }, { extraProperties }),
    fields: itemFields,
  },
  attribute: {
    pages: (client, extraProperties) => client.catalog.attributes({ extraProperties }),
    fields: attributeFields,
  },
  folder: {
    pages: (client, extraProperties) => client.catalog.folders({ extraProperties }),
    fields: ["urn", "name", "description", "parentUrn", "extraProperties"],
  },
};

/**
 * Things of a type as entities, whatever they stand below. That the list of entities shows items, their attributes and folders without
 * their parent is only inferred (as for queries, `sql-queries.ts`): where it shows nothing, their own list is read.
 */
export async function* entitiesOf(
  client: ReadClient,
  model: Model,
  { entityType, properties }: { readonly entityType: string; readonly properties: readonly string[] },
): AsyncGenerator<readonly JsonObject[]> {
  let isShown = false;
  for await (const items of itemsOf(client.catalog.entities({ entityType, properties }))) {
    isShown ||= items.length > 0;
    yield items;
  }
  const list = isShown ? undefined : listingOf(entityType, model);
  if (list === undefined) return;
  const extra = properties.filter((name) => !list.fields.includes(name));
  for await (const items of itemsOf(list.pages(client, extra)))
    yield items.map((item) => asEntity(item, entityType, properties));
}

/** An attribute is of whichever type the model says an item holds. */
function listingOf(entityType: string, model: Model): Listing | undefined {
  const line = new Set([entityType, ...(model.get(entityType)?.supers ?? [])]);
  const attribute = model.get("catalogItem")?.properties.get("attributes")?.of ?? "attribute";
  const name = line.has(attribute) ? "attribute" : ["catalogItem", "folder"].find((one) => line.has(one));
  return name === undefined ? undefined : listings[name];
}

function asEntity(thing: JsonObject, concreteType: string, properties: readonly string[]): JsonObject {
  const parentUrn = text(thing, "parentUrn") ?? text(thing, "catalogItemUrn");
  const name = own(thing, "name");
  const extra = child(thing, "extraProperties") ?? {};
  const fields = properties.flatMap((property) => {
    const value = own(extra, property) === undefined ? own(thing, property) : undefined;
    return value === undefined ? [] : [[property, [...referenced({ [property]: value }, ["urn"])]] as const];
  });
  return {
    urn: text(thing, "urn") ?? "",
    concreteType,
    ...(parentUrn === undefined ? {} : { parentUrn }),
    properties: { ...extra, ...Object.fromEntries(fields), ...(name === undefined ? {} : { name }) },
  };
}
