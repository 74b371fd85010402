import type { Urn } from "../../model/urn.ts";
import { Checker } from "../check.ts";
import { bodyObject, type Call } from "../http/call.ts";
import { asText, type JsonObject } from "../json.ts";
import { invalid, notFound } from "../problem.ts";
import type { Tenant } from "../tenant.ts";
import { filterOf } from "./filter.ts";
import { type Review } from "./store.ts";
import type { Table, TableRecord } from "./table.ts";

/** POST draft/request-review: NEW and CHANGED records that match the filter go into a task. */
export function requestReview(call: Call, table: Table): JsonObject {
  const body = bodyObject(call);
  const checker = new Checker();
  checker.onlyFields(body, ["name", "priority", "description", "filter"], "#");
  checker.requiredText(body, "name", "#");
  checker.optional(body, "description", "string", "#", true);
  if (!["LOW", "MEDIUM", "HIGH"].includes(asText(body["priority"])))
    checker.fail("#/priority", "priority must be LOW, MEDIUM or HIGH.");
  checker.refuseIfFailed();
  const { tenant } = call;
  const filter = filterOf(table, body["filter"] === undefined ? {} : { filter: body["filter"] });
  const records = table
    .open()
    .filter((record) => ["NEW", "CHANGED"].includes(record.state) && filter.test(record, record.draft));
  if (records.length === 0 && tenant.quirks.emptyReview === "refused")
    throw invalid("There is nothing to review.");
  const { urn, name, priority, description, createdAt } = openReview(tenant, table, records, {
    name: asText(body["name"]),
    priority: asText(body["priority"]),
    description: asText(body["description"]),
  });
  return { reviewDatasetUrn: urn, taskMetadata: { name, priority, description }, createdAt };
}

export function openReview(
  tenant: Tenant,
  table: Table,
  records: readonly TableRecord[],
  task: Pick<Review, "name" | "priority" | "description">,
): Review {
  const review: Review = {
    urn: tenant.newUrn("reference-data:review"),
    table,
    records: new Set(records),
    ...task,
    createdAt: tenant.timestamp(),
  };
  for (const record of records) {
    record.before = record.state;
    table.setState(record, "REVIEW");
  }
  tenant.referenceData.reviews.set(review.urn, review);
  return review;
}

export function reviewOf(tenant: Tenant, urn: Urn): Review {
  const review = tenant.referenceData.reviews.get(urn);
  if (review === undefined) throw notFound(`The review ${urn} does not exist.`);
  return review;
}

/** The records return to the draft dataset, ready to be published; gives how many. */
export function approve(tenant: Tenant, review: Review, isMeant: (record: TableRecord) => boolean): number {
  const approved = [...review.records].filter(isMeant);
  for (const record of approved) giveBack(review, record);
  if (review.records.size === 0 && tenant.quirks.decidedReview === "404")
    tenant.referenceData.reviews.delete(review.urn);
  return approved.length;
}

/** In the web application: so many are refused, are drafts again, and the task holds the rest. */
export function refuse(review: Review, isMeant: (record: TableRecord) => boolean): void {
  for (const record of [...review.records].filter(isMeant)) giveBack(review, record);
}

/** In the web application: the path of a rejection is not documented. The task is gone, its records are drafts again. */
export function reject(tenant: Tenant, urn: Urn): void {
  const review = reviewOf(tenant, urn);
  for (const record of review.records) giveBack(review, record);
  tenant.referenceData.reviews.delete(urn);
}

function giveBack({ table, records }: Review, record: TableRecord): void {
  table.setState(record, record.before ?? "CHANGED");
  record.before = undefined;
  records.delete(record);
}
