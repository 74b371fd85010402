import type { Urn } from "../../model/urn.ts";
import type { JsonObject } from "../json.ts";
import { approve, openReview, refuse, reject, reviewOf } from "../reference-data/reviews.ts";
import { Table, type TableColumn, type TableRecord } from "../reference-data/table.ts";
import type { Tenant } from "../tenant.ts";

/** A table as the web application makes it, with rows that are published. */
export function seedReferenceTable(
  tenant: Tenant,
  fields: {
    readonly name: string;
    readonly columns: Readonly<Record<string, TableColumn["type"]>>;
    readonly rows?: Iterable<JsonObject>;
  },
): Table {
  const columns = Object.entries(fields.columns).map(([name, type]) => ({ name, type }));
  const table = new Table(tenant.newUrn("reference-data:table"), fields.name, columns);
  tenant.referenceData.tables.set(table.urn, table);
  for (const row of fields.rows ?? []) seedRecord(tenant, table, row);
  return table;
}

export function seedRecord(tenant: Tenant, table: Table, values: JsonObject): TableRecord {
  const record = draftRecord(tenant, table, values);
  table.setState(record, "UNCHANGED");
  table.show(record, record.draft);
  return record;
}

/** What a colleague has entered and not published. */
export function draftRecord(tenant: Tenant, table: Table, values: JsonObject): TableRecord {
  return table.create(tenant.newUrn("reference-data:record"), tenant.nextSequence(), values);
}

/** A person publishes a change, in the web application. */
export function editRecord(table: Table, record: TableRecord, values: JsonObject): void {
  table.change(record, values);
  table.setState(record, "UNCHANGED");
  table.show(record, record.draft);
}

/** A person publishes its deletion, in the web application. */
export function removeRecord(table: Table, record: TableRecord): void {
  table.setState(record, "DELETED");
  table.show(record, undefined);
}

/** A person decides on a review, or on some of its records, in the web application; of one that is rejected as a whole the task is gone. */
export function decideReview(
  tenant: Tenant,
  urn: Urn,
  decision: "approve" | "reject",
  isMeant?: (record: TableRecord) => boolean,
): void {
  if (decision === "approve") approve(tenant, reviewOf(tenant, urn), isMeant ?? (() => true));
  else if (isMeant === undefined) reject(tenant, urn);
  else refuse(reviewOf(tenant, urn), isMeant);
}

/** A person puts up for review what stands in the draft, in the web application. */
export function putUpForReview(tenant: Tenant, table: Table, records: readonly TableRecord[]): Urn {
  return openReview(tenant, table, records, { name: "For review", priority: "MEDIUM", description: "" }).urn;
}
