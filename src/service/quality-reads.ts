import type { JsonObject } from "../model/json.ts";
import { at } from "./address.ts";
import type { Reader } from "./call.ts";
import { pages } from "./pages.ts";
import type { Page } from "./pages.ts";
import { readOne } from "./requests.ts";
import { resultReads } from "./result-reads.ts";
import type { ResultReads } from "./result-reads.ts";
import { withUrn } from "./shapes.ts";

/** The literal that addresses the primary monitor of a catalog item (document 2, Data-quality monitors). */
export const primary = "primary";

/**
 * Document 2, base `/api/data-quality/v1`. Lists hold published versions only. Single reads give undefined only
 * when the service itself says 404. All throw ServiceError.
 */
export interface QualityReads extends ResultReads {
  rules(): AsyncIterable<Page>;
  /** With `version` the current draft, as for monitors; for rules it is not documented, so expect anything. */
  rule(urn: string, query?: { readonly version?: "DRAFT" }): Promise<JsonObject | undefined>;
  /** Not isolated from concurrent changes: monitors may be missing between pages. */
  monitors(query?: { readonly catalogItemUrn?: string }): AsyncIterable<Page>;
  /** `monitor`: a URN, or `primary`. With `version` the current draft, otherwise the latest published one. */
  monitor(
    catalogItemUrn: string,
    monitor: string,
    query?: { readonly version?: "DRAFT" },
  ): Promise<JsonObject | undefined>;
  dashboards(): AsyncIterable<Page>;
  dashboard(urn: string): Promise<JsonObject | undefined>;
  /** Not in the documents (page 04). */
  dimensions(): AsyncIterable<Page>;
  /** Not in the documents and a guess (page 04): expect ServiceError `not-found`. */
  transformations(): AsyncIterable<Page>;
}

export function qualityReads(reader: Reader): QualityReads {
  return {
    ...resultReads(reader),
    rules: () => pages(reader, { at: at`/api/data-quality/v1/rules` }),
    rule: (urn, { version } = {}) =>
      readOne(reader, at`/api/data-quality/v1/rules/${urn}`, withUrn, { version }),
    monitors: ({ catalogItemUrn } = {}) =>
      pages(reader, { at: at`/api/data-quality/v1/dq-monitors`, query: { catalogItemUrn } }),
    monitor: (item, monitor, { version } = {}) =>
      readOne(reader, at`/api/data-quality/v1/catalog-items/${item}/dq-monitors/${monitor}`, withUrn, {
        version,
      }),
    dashboards: () => pages(reader, { at: at`/api/data-quality/v1/dq-dashboards` }),
    dashboard: (urn) => readOne(reader, at`/api/data-quality/v1/dq-dashboards/${urn}`, withUrn),
    dimensions: () => pages(reader, { at: at`/api/data-quality/v1/dq-dimensions` }),
    transformations: () => pages(reader, { at: at`/api/data-quality/v1/transformations` }),
  };
}
