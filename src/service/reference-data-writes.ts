import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own, plainNumber, text } from "../model/json.ts";
import { at } from "./address.ts";
import type { Path } from "./address.ts";
import type { Writer } from "./call.ts";
import { ServiceError } from "./error.ts";
import type { Deleted } from "./requests.ts";
import { checkSize, remove } from "./requests.ts";
import { anyObject, approved, listOfUrns, reviewRequested } from "./shapes.ts";

export interface ReviewRequest {
  readonly name: string;
  /** Such as MEDIUM. */
  readonly priority: string;
  readonly description: string;
  readonly filter: JsonObject;
}

/**
 * Document 2, base `/api/reference-data/v1`. Sent once: again only when it is known not to have happened. All throw
 * ServiceError, whose `arrived` says whether the write may have happened.
 */
export interface ReferenceDataWrites {
  /**
   * 1 to 100 records: `{ urn?, values }`. Without a URN one is created, each time anew; with one only what is listed
   * changes. The answer has the records as the draft has them now.
   */
  changeDraft(tableUrn: string, records: readonly JsonObject[]): Promise<readonly JsonObject[]>;
  /** Exactly these records: without a list others' drafts would be published, too. It shows after a while. */
  publishRecords(tableUrn: string, recordUrns: readonly string[]): Promise<JsonObject>;
  /** Marks it; it is gone when that is published. */
  deleteDraft(tableUrn: string, recordUrn: string): Promise<Deleted>;
  /** Gives the URN of the review. */
  requestReview(tableUrn: string, request: ReviewRequest): Promise<string>;
  /** All that is in the review; gives how many records. */
  approveReview(reviewUrn: string): Promise<number>;
}

export function referenceDataWrites(writer: Writer): ReferenceDataWrites {
  return {
    changeDraft: async (tableUrn, records) => {
      const path = at`/api/reference-data/v1/tables/${tableUrn}/draft/batch`;
      checkSize(records, path);
      return await writer.write({ method: "POST", at: path, body: { records } }, ({ body }) => {
        const data = own(listOfUrns(body), "data");
        return isArray(data) ? data.filter((record) => isObject(record)) : [];
      });
    },
    publishRecords: async (tableUrn, recordUrns) => {
      const path = at`/api/reference-data/v1/tables/${tableUrn}/draft/publish`;
      if (recordUrns.length === 0) throw emptyFilter(path);
      const body = { filter: { recordUrn: { in: recordUrns } } };
      return await writer.write({ method: "POST", at: path, body }, (answer) => anyObject(answer.body));
    },
    deleteDraft: (tableUrn, recordUrn) =>
      remove(writer, at`/api/reference-data/v1/tables/${tableUrn}/draft/${recordUrn}`),
    requestReview: async (tableUrn, { name, priority, description, filter }) => {
      const path = at`/api/reference-data/v1/tables/${tableUrn}/draft/request-review`;
      const body = { name, priority, description, filter };
      return await writer.write(
        { method: "POST", at: path, body },
        (answer) => text(reviewRequested(answer.body), "reviewDatasetUrn") ?? "",
      );
    },
    approveReview: async (reviewUrn) => {
      const path = at`/api/reference-data/v1/reviews/${reviewUrn}/approve`;
      return await writer.write({ method: "POST", at: path, body: {} }, (answer) =>
        Number(plainNumber(own(approved(answer.body), "affectedRecordCount"))),
      );
    },
  };
}

function emptyFilter({ path }: Path): ServiceError {
  const text = `POST ${path}: no record is named, and without a filter everybody's drafts would be published; nothing was sent.`;
  return new ServiceError(text, { kind: "refused", arrived: "no", method: "POST", path });
}
