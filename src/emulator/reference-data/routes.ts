import { bodyObject, type Answer, type Call, ok, pathUrn, routesOf } from "../http/call.ts";
import { type Json, type JsonObject } from "../json.ts";
import { pageOfArray, pageSize } from "../paging.ts";
import { cursorOf, encodePosition } from "../cursors.ts";
import { invalid, notFound } from "../problem.ts";
import { changeDraft, refuseReviewed } from "./draft.ts";
import { filterOf, type RecordFilter } from "./filter.ts";
import { approve, requestReview, reviewOf } from "./reviews.ts";
import { showRecord } from "./store.ts";
import type { Table, TableRecord } from "./table.ts";

function tableOf(call: Call): Table {
  return call.tenant.referenceData.table(pathUrn(call, "table"));
}

/** A page of records by their place in the order of creation; its cursor stays right when records go. */
function pageOf(
  call: Call,
  name: string,
  after: (seq: number) => Iterable<TableRecord>,
  render: (record: TableRecord) => Json,
  total: number,
): Answer {
  const size = pageSize(call.query.get("size"));
  const order = { name: "", terms: [] };
  const start = cursorOf<TableRecord>(call, "after", name, order)?.seq ?? 0;
  const shown: TableRecord[] = [];
  let next: string | null = null;
  for (const record of after(start)) {
    if (shown.length === size) {
      next = encodePosition(name, order, { seq: shown.at(-1)?.seq ?? 0, values: [] });
      break;
    }
    shown.push(record);
  }
  return ok({ meta: { prev: null, next, total }, data: shown.map(render) });
}

function found(
  call: Call,
  name: string,
  records: Iterable<TableRecord>,
  render: (record: TableRecord) => Json,
) {
  const sorted = [...records].sort((left, right) => left.seq - right.seq);
  return pageOf(call, name, (seq) => sorted.filter((record) => record.seq > seq), render, sorted.length);
}

/** Only what a filter lets through of what is published. */
function published(call: Call, table: Table): Answer {
  const filter = filterOf(table, call.body === undefined ? {} : bodyObject(call));
  call.tenant.referenceData.look(table);
  const name = `published ${table.urn}`;
  const show = (record: TableRecord): Json => showRecord(record, record.published ?? {}, "UNCHANGED");
  const isShown = (record: TableRecord): boolean =>
    record.published !== undefined && filter.test(record, record.published);
  if (filter.candidates === undefined && isEmpty(call.body))
    return pageOf(call, name, (seq) => table.publishedAfter(seq), show, table.publishedCount);
  return found(call, name, [...(filter.candidates?.() ?? table.records())].filter(isShown), show);
}

function isEmpty(body: Json | undefined): boolean {
  const text = JSON.stringify(body ?? {});
  return text === "{}" || text === '{"filter":{}}';
}

/** Records that a publish or an approval is about: `recordUrn.in`, or all when the filter is left out. */
function meant(table: Table, body: JsonObject): RecordFilter {
  const filter = filterOf(table, body);
  const names = Object.keys((body["filter"] as JsonObject | undefined) ?? {});
  if (names.some((name) => name !== "recordUrn"))
    throw invalid("Only recordUrn can be given here.", "#/filter");
  return filter;
}

function publish(call: Call, table: Table): Answer {
  const { tenant } = call;
  const body = call.body === undefined ? {} : bodyObject(call);
  const filter = meant(table, body);
  const isAll = filter.candidates === undefined;
  const records = isAll
    ? table.open().filter(({ state }) => state !== "REVIEW")
    : [...(filter.candidates?.() ?? [])].filter(({ state }) => state !== "UNCHANGED");
  for (const record of records) refuseReviewed(record);
  tenant.referenceData.publish(table, records, tenant.quirks.publishing);
  return ok({
    publishedDatasetUrn: tenant.newUrn("reference-data:dataset"),
    publishedAt: tenant.timestamp(),
  });
}

/** Document 2, "Reference data". */
export const referenceDataRoutes = routesOf("reference-data", "/api/reference-data/v1", {
  "GET /tables": (call) => {
    const { referenceData, quirks } = call.tenant;
    const answer = pageOfArray(call, "tables", [...referenceData.tables.values()], (table): JsonObject => {
      const { urn, name, columns } = table;
      // The fields of a table are not shown: what it tells of its attributes may not be there.
      if (quirks.tableFields === "bare") return { urn, name };
      return { urn, name, attributes: columns.map((column) => ({ ...column })) };
    });
    const { meta, data } = answer.body as { readonly meta: JsonObject; readonly data: Json };
    return ok({ meta: { prev: null, next: null, ...meta }, data });
  },
  "POST /tables/:table/draft/batch": (call) => {
    const data = changeDraft(call, tableOf(call));
    return ok({ meta: { prev: null, next: null, total: data.length }, data: [...data] });
  },
  "POST /tables/:table/draft/publish": (call) => publish(call, tableOf(call)),
  "QUERY /tables/:table/published/filter": (call) => published(call, tableOf(call)),
  // No document has it; a service may offer it all the same.
  "QUERY /tables/:table/draft/filter": (call) => {
    const table = tableOf(call);
    if (call.tenant.quirks.draftFilter === "absent") throw notFound(`There is no ${table.urn}/draft/filter.`);
    const filter = filterOf(table, call.body === undefined ? {} : bodyObject(call));
    const all = call.tenant.quirks.draftFilter === "whole" ? table.records() : table.open();
    const records = all.filter((record) => filter.test(record, record.draft));
    return found(call, `draft ${table.urn}`, records, (record) =>
      showRecord(record, record.draft, record.state),
    );
  },
  "POST /tables/:table/draft/request-review": (call) => ok(requestReview(call, tableOf(call))),
  "DELETE /tables/:table/draft/:record": (call) => {
    const table = tableOf(call);
    const record = table.get(pathUrn(call, "record"));
    if (record === undefined) throw notFound("The record does not exist.");
    refuseReviewed(record);
    table.setState(record, "DELETED");
    return ok(showRecord(record, record.draft, record.state));
  },
  "GET /reviews/:review/records": (call) => {
    const { urn, records } = reviewOf(call.tenant, pathUrn(call, "review"));
    return found(call, `review ${urn}`, records, (record) => showRecord(record, record.draft, "REVIEW"));
  },
  "POST /reviews/:review/approve": (call) => {
    const review = reviewOf(call.tenant, pathUrn(call, "review"));
    const filter = meant(review.table, call.body === undefined ? {} : bodyObject(call));
    const affectedRecordCount = approve(call.tenant, review, (record) => filter.test(record, record.draft));
    return ok({ affectedRecordCount });
  },
});
