import type { JsonObject } from "../model/json.ts";
import { at } from "./address.ts";
import type { Query } from "./address.ts";
import type { Reader } from "./call.ts";
import { pages } from "./pages.ts";
import type { Page } from "./pages.ts";
import { readOne } from "./requests.ts";
import { definition, listOfDefinitions, withUrn } from "./shapes.ts";

/** Extra properties and related data come only when they are asked for by name (document 1, Conventions). */
export interface Wanted {
  readonly extraProperties?: readonly string[];
  /** `effectiveCriticality`, `effectiveStewardship`. */
  readonly include?: readonly string[];
}

export interface EntityWanted {
  readonly properties?: readonly string[];
  readonly include?: readonly string[];
}

/**
 * Document 1, base `/api/catalog/v1`. Lists yield pages as they come; single reads give undefined only when the
 * service itself says 404. All throw ServiceError.
 */
export interface CatalogReads {
  /** Published terms only. */
  terms(wanted?: Wanted): AsyncIterable<Page>;
  term(urn: string, wanted?: Wanted): Promise<JsonObject | undefined>;
  attributes(query?: Wanted & { readonly catalogItemUrn?: string }): AsyncIterable<Page>;
  attribute(urn: string, wanted?: Wanted): Promise<JsonObject | undefined>;
  /** POST catalog-items/filter: a read. Extra properties cannot be criteria. */
  filterCatalogItems(filter: JsonObject, wanted?: Wanted): AsyncIterable<Page>;
  /** Those directly in a folder or location; without a parent all of them. */
  catalogItems(query?: Wanted & { readonly parentUrn?: string }): AsyncIterable<Page>;
  catalogItem(urn: string, wanted?: Wanted): Promise<JsonObject | undefined>;
  /** Without a parent: the folders of all parents. */
  folders(query?: Wanted & { readonly parentUrn?: string }): AsyncIterable<Page>;
  folder(urn: string, wanted?: Wanted): Promise<JsonObject | undefined>;
  /**
   * `entityType` matches the root super type or the concrete type, and no type between them. `dslQuery` gives the
   * queries of SQL items; that it does without a parent is not documented.
   */
  entities(
    query: EntityWanted & { readonly entityType: string; readonly parentUrn?: string },
  ): AsyncIterable<Page>;
  entity(urn: string, wanted?: EntityWanted): Promise<JsonObject | undefined>;
  /** The entity definitions of the metadata model; they are named, not addressed by URN. */
  metadataModel(): AsyncIterable<Page>;
  entityDefinition(name: string): Promise<JsonObject | undefined>;
  documentationFlowConfigurations(): AsyncIterable<Page>;
}

function related(wanted: Wanted = {}): Query {
  return { extraProperties: wanted.extraProperties, include: wanted.include };
}

export function catalogReads(reader: Reader): CatalogReads {
  return {
    terms: (wanted) => pages(reader, { at: at`/api/catalog/v1/terms`, query: related(wanted) }),
    term: (urn, wanted) => readOne(reader, at`/api/catalog/v1/terms/${urn}`, withUrn, related(wanted)),
    attributes: (query = {}) =>
      pages(reader, {
        at: at`/api/catalog/v1/attributes`,
        query: { catalogItemUrn: query.catalogItemUrn, ...related(query) },
      }),
    attribute: (urn, wanted) =>
      readOne(reader, at`/api/catalog/v1/attributes/${urn}`, withUrn, related(wanted)),
    filterCatalogItems: (filter, wanted) =>
      pages(reader, {
        at: at`/api/catalog/v1/catalog-items/filter`,
        query: related(wanted),
        body: { filter },
      }),
    catalogItems: ({ parentUrn, ...wanted } = {}) =>
      pages(reader, { at: at`/api/catalog/v1/catalog-items`, query: { parentUrn, ...related(wanted) } }),
    catalogItem: (urn, wanted) =>
      readOne(reader, at`/api/catalog/v1/catalog-items/${urn}`, withUrn, related(wanted)),
    folders: (query = {}) =>
      pages(reader, {
        at: at`/api/catalog/v1/folders`,
        query: { parentUrn: query.parentUrn, ...related(query) },
      }),
    folder: (urn, wanted) => readOne(reader, at`/api/catalog/v1/folders/${urn}`, withUrn, related(wanted)),
    entities: ({ entityType, parentUrn, properties, include }) =>
      pages(reader, {
        at: at`/api/catalog/v1/entities`,
        query: { entityType, parentUrn, properties, include },
      }),
    entity: (urn, { properties, include } = {}) =>
      readOne(reader, at`/api/catalog/v1/entities/${urn}`, withUrn, { properties, include }),
    metadataModel: () =>
      pages(reader, {
        at: at`/api/catalog/v1/metadata-model/entities`,
        shape: listOfDefinitions,
        neverEmpty: "no environment is without a metadata model",
      }),
    entityDefinition: (name) =>
      readOne(reader, at`/api/catalog/v1/metadata-model/entities/${name}`, definition),
    documentationFlowConfigurations: () =>
      pages(reader, { at: at`/api/catalog/v1/documentation-flow/configurations` }),
  };
}
