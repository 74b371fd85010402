import { isUrn } from "../../model/urn.ts";
import { Checker } from "../check.ts";
import { bodyObject, type Call } from "../http/call.ts";
import { asText, isArray, isNumber, isObject, isWholeNumber, type Json, type JsonObject } from "../json.ts";
import { conflict, invalid } from "../problem.ts";
import { showRecord, valuesOf } from "./store.ts";
import type { Table, TableColumn, TableRecord } from "./table.ts";

/** POST draft/batch: with urn only the listed attributes are updated, without one a record is created. */
export function changeDraft(call: Call, table: Table): readonly JsonObject[] {
  const body = bodyObject(call);
  const checker = new Checker();
  checker.onlyFields(body, ["records"], "#");
  const { records } = body;
  if (!isArray(records) || records.length === 0)
    throw invalid("records is required and must be a non-empty array.", "#/records");
  const { tenant, tampering } = call;
  const { emptyChange } = tenant.quirks;
  const wanted = records.map((record, index) => wish(table, record, `#/records/${index}`, checker));
  const isEmpty = ({ values }: Wish): boolean => Object.keys(values).length === 0;
  for (const [index, one] of wanted.entries())
    if (emptyChange === "refused" && isEmpty(one))
      checker.fail(`#/records/${index}/values`, "values must not be empty.");
  checker.refuseIfFailed();
  for (const { record } of wanted) refuseReviewed(record);
  // A fault may lose the rest of a batch; the document does not say that it is all or nothing.
  return wanted.slice(0, tampering.commitLimit ?? wanted.length).flatMap(({ record, values }) => {
    const changed =
      record ?? table.create(tenant.newUrn("reference-data:record"), tenant.nextSequence(), values);
    const isKept = record?.state === "DELETED" && tenant.quirks.deletedDrafts === "kept";
    if (record !== undefined) table.change(record, values);
    if (isKept) table.setState(changed, "DELETED");
    const isLeftOut = emptyChange === "silent" && isEmpty({ record, values });
    return isLeftOut ? [] : [showRecord(changed, changed.draft, changed.state)];
  });
}

interface Wish {
  readonly record: TableRecord | undefined;
  readonly values: JsonObject;
}

function wish(table: Table, value: Json, pointer: string, checker: Checker): Wish {
  const item = checker.object(value, pointer);
  checker.onlyFields(item, ["urn", "values"], pointer);
  const { urn, values } = item;
  let record: TableRecord | undefined;
  if (urn !== undefined) {
    record = typeof urn === "string" && isUrn(urn) ? table.get(urn) : undefined;
    if (record === undefined) checker.fail(`${pointer}/urn`, "urn must name a record of the table.");
  }
  if (!isArray(values)) {
    checker.fail(`${pointer}/values`, "values is required and must be an array.");
    return { record, values: {} };
  }
  const entries: JsonObject[] = [];
  for (const [index, entry] of values.entries()) {
    const place = `${pointer}/values/${index}`;
    if (!isObject(entry)) checker.fail(place, "A value must be an object of name and value.");
    else if (checkValue(table, entry, place, checker)) entries.push(entry);
  }
  return { record, values: valuesOf(entries) };
}

function checkValue(table: Table, entry: JsonObject, pointer: string, checker: Checker): boolean {
  const { name, value } = entry;
  const column = typeof name === "string" ? table.column(name) : undefined;
  if (column === undefined) {
    checker.fail(`${pointer}/name`, `The table ${table.name} has no attribute ${asText(name)}.`);
    return false;
  }
  if (value === null || (value !== undefined && fits(column.type, value))) return true;
  checker.fail(`${pointer}/value`, `${column.name} must be of type ${column.type}.`);
  return false;
}

function fits(type: TableColumn["type"], value: Json): boolean {
  switch (type) {
    case "STRING":
      return typeof value === "string";
    case "NUMBER":
      return isNumber(value);
    case "INTEGER":
      return isWholeNumber(value);
    case "BOOLEAN":
      return typeof value === "boolean";
    case "DATE":
      return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
    case "DATETIME":
      return (
        typeof value === "string" &&
        /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) &&
        !Number.isNaN(Date.parse(value))
      );
  }
}

/** What is in a review waits for its end. */
export function refuseReviewed(record: TableRecord | undefined): void {
  if (record?.state === "REVIEW") throw conflict(`The record ${record.urn} is under review.`);
}
