import type { JsonObject } from "../model/json.ts";
import { at } from "./address.ts";
import { batch } from "./batch.ts";
import type { BatchAnswer } from "./batch.ts";
import type { Reader, Writer } from "./call.ts";
import type { Deleted } from "./requests.ts";
import { removeObject, writeOne, writeSomething } from "./requests.ts";
import { anyObject, withUrn } from "./shapes.ts";

/**
 * Document 2, base `/api/data-quality/v1`. Sent once: again only when it is known not to have happened. All
 * throw ServiceError, whose `arrived` says whether the write may have happened. `monitor` is a URN or `primary`.
 * A publish answers with the published version where the service sends one.
 */
export interface QualityWrites {
  /** 1 to 100 independent items, published at once; `data` holds `urn` and `correlationIds`. */
  createRules(items: readonly JsonObject[]): Promise<BatchAnswer>;
  /** Opens a draft (page 04). */
  patchRule(urn: string, body: JsonObject): Promise<JsonObject>;
  publishRule(urn: string): Promise<JsonObject | undefined>;
  deleteRule(urn: string): Promise<Deleted>;
  /** 1 to 100 independent items, published at once; `data` holds `urn` and `correlationIds`. */
  createMonitors(items: readonly JsonObject[]): Promise<BatchAnswer>;
  /** A draft that no list shows until it is published. */
  createMonitorDraft(catalogItemUrn: string, body: JsonObject): Promise<JsonObject>;
  /** Opens a draft on a published monitor; no effect until it is published. */
  patchMonitor(catalogItemUrn: string, monitor: string, body: JsonObject): Promise<JsonObject>;
  publishMonitor(catalogItemUrn: string, monitor: string): Promise<JsonObject | undefined>;
  /** Draft and published versions at once; 409 (`refused`) for the primary monitor. */
  deleteMonitor(catalogItemUrn: string, monitor: string): Promise<Deleted>;
  /** A draft that no list shows until it is published. */
  createDashboard(body: JsonObject): Promise<JsonObject>;
  publishDashboard(urn: string): Promise<JsonObject | undefined>;
  /** Not in the documents (page 04): `{ polling: { href }, result: { href } }`. */
  startEvaluation(catalogItemUrn: string, monitor: string): Promise<JsonObject>;
}

export function qualityWrites(reader: Reader, writer: Writer): QualityWrites {
  return {
    createRules: (items) => batch(writer, at`/api/data-quality/v1/rules/batch/create`, items),
    patchRule: (urn, body) => writeOne(writer, "PATCH", at`/api/data-quality/v1/rules/${urn}`, body, withUrn),
    publishRule: (urn) => writeSomething(writer, at`/api/data-quality/v1/rules/${urn}/publish`),
    deleteRule: (urn) => removeObject({ reader, writer }, at`/api/data-quality/v1/rules/${urn}`),
    createMonitors: (items) => batch(writer, at`/api/data-quality/v1/dq-monitors/batch/create`, items),
    createMonitorDraft: (item, body) =>
      writeOne(writer, "POST", at`/api/data-quality/v1/catalog-items/${item}/dq-monitors`, body, withUrn),
    patchMonitor: (item, monitor, body) => {
      const path = at`/api/data-quality/v1/catalog-items/${item}/dq-monitors/${monitor}`;
      return writeOne(writer, "PATCH", path, body, withUrn);
    },
    publishMonitor: (item, monitor) =>
      writeSomething(writer, at`/api/data-quality/v1/catalog-items/${item}/dq-monitors/${monitor}/publish`),
    deleteMonitor: (item, monitor) =>
      removeObject({ reader, writer }, at`/api/data-quality/v1/catalog-items/${item}/dq-monitors/${monitor}`),
    createDashboard: (body) =>
      writeOne(writer, "POST", at`/api/data-quality/v1/dq-dashboards`, body, withUrn),
    publishDashboard: (urn) => writeSomething(writer, at`/api/data-quality/v1/dq-dashboards/${urn}/publish`),
    startEvaluation: (item, monitor) => {
      const path = at`/api/data-quality/v1/catalog-items/${item}/dq-monitors/${monitor}/processings`;
      return writeOne(writer, "POST", path, undefined, anyObject);
    },
  };
}
