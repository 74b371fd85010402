import type { Urn } from "../../model/urn.ts";
import type { JsonObject } from "../json.ts";
import { approve, reject, reviewOf } from "../reference-data/reviews.ts";
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

/** A person decides on a review, in the web application. */
export function decideReview(tenant: Tenant, urn: Urn, decision: "approve" | "reject"): void {
  if (decision === "reject") reject(tenant, urn);
  else approve(tenant, reviewOf(tenant, urn), () => true);
}
