import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own } from "../model/json.ts";
import { at } from "./address.ts";
import { batch } from "./batch.ts";
import type { BatchAnswer } from "./batch.ts";
import type { Reader, Writer } from "./call.ts";
import type { Deleted } from "./requests.ts";
import { checkSize, removeObject, writeOne } from "./requests.ts";
import { WrongShape, createdList, flowStarted, withUrn } from "./shapes.ts";

/** Terms to add to what an attribute has, or to its denylist. */
export interface AttributeTerms {
  /** Echoed in the result (page 04). */
  readonly id?: string;
  readonly attributeUrn: string;
  readonly termUrns: readonly string[];
}

/** A group that becomes steward, and what the one before may still do (page 04). */
export interface StewardChange {
  /** Echoed in the result. */
  readonly id?: string;
  readonly entityUrn: string;
  readonly groupUrn: string;
  /** Page 04 has seen `viewMetadata`; what it is without is not known. */
  readonly previousStewardAccessLevel?: string;
}

/**
 * Document 1, base `/api/catalog/v1`. Sent once: again only when it is known not to have happened. All throw
 * ServiceError, whose `arrived` says whether the write may have happened. PATCH is a merge patch (RFC 7386).
 * Batches take 1 to 100 items.
 */
export interface CatalogWrites {
  /** All or nothing; the answer holds the new terms by position. */
  createTerms(items: readonly JsonObject[]): Promise<readonly JsonObject[]>;
  patchTerm(urn: string, body: JsonObject): Promise<JsonObject>;
  deleteTerm(urn: string): Promise<Deleted>;
  createFolder(body: JsonObject): Promise<JsonObject>;
  patchFolder(urn: string, body: JsonObject): Promise<JsonObject>;
  deleteFolder(urn: string): Promise<Deleted>;
  /** SQL items only. Succeeds even when the import of its attributes fails. */
  createCatalogItem(body: JsonObject): Promise<JsonObject>;
  patchCatalogItem(urn: string, body: JsonObject): Promise<JsonObject>;
  deleteCatalogItem(urn: string): Promise<Deleted>;
  patchAttribute(urn: string, body: JsonObject): Promise<JsonObject>;
  /** `concreteType`, `parentUrn`, `parentProperty`, `properties`. */
  createEntity(body: JsonObject): Promise<JsonObject>;
  /** Only these change; null and [] clear. */
  patchEntity(urn: string, properties: JsonObject): Promise<JsonObject>;
  deleteEntity(urn: string): Promise<Deleted>;
  /** Atomic: all items succeed or all fail. */
  createEntities(items: readonly JsonObject[]): Promise<BatchAnswer>;
  /** Atomic. */
  patchEntities(items: readonly JsonObject[]): Promise<BatchAnswer>;
  /** Items are independent; `{ id?, urn }`. */
  deleteEntities(items: readonly JsonObject[]): Promise<BatchAnswer>;
  /** Independent items; the assignments have source MANUAL. */
  assignTerms(items: readonly AttributeTerms[]): Promise<BatchAnswer>;
  /** Not in the documents (page 04): may answer 404. */
  addToDenylist(items: readonly AttributeTerms[]): Promise<BatchAnswer>;
  /** Independent items. Not in the documents (page 04): may answer 404. */
  manageStewardship(items: readonly StewardChange[]): Promise<BatchAnswer>;
  /** 202 `{ workflowUrn }`; the run is a workflow of the processing interface. */
  startDocumentationFlow(body: JsonObject): Promise<JsonObject>;
}

export function catalogWrites(reader: Reader, writer: Writer): CatalogWrites {
  return {
    createTerms: (items) => createTerms(writer, items),
    patchTerm: (urn, body) => writeOne(writer, "PATCH", at`/api/catalog/v1/terms/${urn}`, body, withUrn),
    deleteTerm: (urn) => removeObject({ reader, writer }, at`/api/catalog/v1/terms/${urn}`),
    createFolder: (body) => writeOne(writer, "POST", at`/api/catalog/v1/folders`, body, withUrn),
    patchFolder: (urn, body) => writeOne(writer, "PATCH", at`/api/catalog/v1/folders/${urn}`, body, withUrn),
    deleteFolder: (urn) => removeObject({ reader, writer }, at`/api/catalog/v1/folders/${urn}`),
    createCatalogItem: (body) => writeOne(writer, "POST", at`/api/catalog/v1/catalog-items`, body, withUrn),
    patchCatalogItem: (urn, body) =>
      writeOne(writer, "PATCH", at`/api/catalog/v1/catalog-items/${urn}`, body, withUrn),
    deleteCatalogItem: (urn) => removeObject({ reader, writer }, at`/api/catalog/v1/catalog-items/${urn}`),
    patchAttribute: (urn, body) =>
      writeOne(writer, "PATCH", at`/api/catalog/v1/attributes/${urn}`, body, withUrn),
    createEntity: (body) => writeOne(writer, "POST", at`/api/catalog/v1/entities`, body, withUrn),
    patchEntity: (urn, properties) =>
      writeOne(writer, "PATCH", at`/api/catalog/v1/entities/${urn}`, { properties }, withUrn),
    deleteEntity: (urn) => removeObject({ reader, writer }, at`/api/catalog/v1/entities/${urn}`),
    createEntities: (items) => batch(writer, at`/api/catalog/v1/entities/batch/create`, items),
    patchEntities: (items) => batch(writer, at`/api/catalog/v1/entities/batch/patch`, items),
    deleteEntities: (items) => batch(writer, at`/api/catalog/v1/entities/batch/delete`, items),
    assignTerms: (items) =>
      batch(writer, at`/api/catalog/v1/attributes/term-assignments/batch/assign`, items.map(toJson)),
    addToDenylist: (items) =>
      batch(writer, at`/api/catalog/v1/attributes/term-assignments/denylist/batch/add`, items.map(toJson)),
    manageStewardship: (items) =>
      batch(writer, at`/api/catalog/v1/stewardship/batch/manage`, items.map(stewardJson)),
    startDocumentationFlow: (body) =>
      writeOne(writer, "POST", at`/api/catalog/v1/documentation-flow/start`, body, flowStarted),
  };
}

async function createTerms(writer: Writer, items: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  const path = at`/api/catalog/v1/terms/bulk`;
  checkSize(items, path);
  return await writer.write({ method: "POST", at: path, body: { terms: items } }, ({ body }) => {
    const data = own(createdList(body), "data");
    const terms = isArray(data) ? data.filter((term) => isObject(term)) : [];
    // Positions are all there is to tell which term is which.
    if (terms.length !== items.length) {
      throw new WrongShape(`it holds ${terms.length} terms for ${items.length} that were sent`);
    }
    return terms;
  });
}

function stewardJson({ id, previousStewardAccessLevel, ...change }: StewardChange): JsonObject {
  return {
    ...(id === undefined ? {} : { id }),
    ...change,
    ...(previousStewardAccessLevel === undefined ? {} : { previousStewardAccessLevel }),
  };
}

function toJson({ id, attributeUrn, termUrns }: AttributeTerms): JsonObject {
  return { ...(id === undefined ? {} : { id }), attributeUrn, termUrns };
}
