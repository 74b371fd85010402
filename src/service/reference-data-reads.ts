import type { JsonObject } from "../model/json.ts";
import { at } from "./address.ts";
import type { Reader } from "./call.ts";
import { pages } from "./pages.ts";
import type { Page, Place } from "./pages.ts";

/**
 * Document 2, base `/api/reference-data/v1`. Lists yield pages as they come. All throw ServiceError; what does not exist
 * is `not-found`.
 */
export interface ReferenceDataReads {
  /** Their fields are not documented, but for URN and name. */
  tables(): AsyncIterable<Page>;
  /** POST published/filter: a read. Without a filter all that is published. Its pages are asked for one ahead. */
  publishedRecords(tableUrn: string, filter?: JsonObject, from?: Place): AsyncIterable<Page>;
  /** Not in the documents: may answer 404. */
  draftRecords(tableUrn: string, filter?: JsonObject): AsyncIterable<Page>;
  reviewRecords(reviewUrn: string): AsyncIterable<Page>;
}

export function referenceDataReads(reader: Reader): ReferenceDataReads {
  return {
    tables: () => pages(reader, { at: at`/api/reference-data/v1/tables` }),
    publishedRecords: (tableUrn, filter, from) =>
      pages(reader, {
        at: at`/api/reference-data/v1/tables/${tableUrn}/published/filter`,
        body: bodyOf(filter),
        ahead: true,
        from,
      }),
    draftRecords: (tableUrn, filter) =>
      pages(reader, {
        at: at`/api/reference-data/v1/tables/${tableUrn}/draft/filter`,
        body: bodyOf(filter),
      }),
    reviewRecords: (reviewUrn) =>
      pages(reader, { at: at`/api/reference-data/v1/reviews/${reviewUrn}/records` }),
  };
}

function bodyOf(filter: JsonObject | undefined): JsonObject {
  return filter === undefined ? {} : { filter };
}
