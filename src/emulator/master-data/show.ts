import { compact, type JsonObject } from "../json.ts";
import type { Place } from "./call.ts";
import { dateOf, type MasterData } from "./master-data.ts";
import type { InstanceRow, MasterRow, Version } from "./rows.ts";
import { instanceValues, isActive, masterSystemAttributes, masterValues, sourceSystemOf } from "./values.ts";

/** The columns that are wanted; all when undefined. */
export type Columns = ReadonlySet<string> | undefined;

/** Document 3, "Instance record (read)". */
export function showInstance(data: MasterData, row: InstanceRow, columns?: Columns): JsonObject {
  return {
    type: row.entity,
    metadata: {
      id: row.id,
      origin: row.origin,
      sourceSystem: sourceSystemOf(row.origin),
      active: isActive(row, data),
      sourceTimestamp: row.sourceTime === undefined ? null : new Date(row.sourceTime).toISOString(),
      creationDate: dateOf(row.created),
      lastUpdateDate: dateOf(row.updated),
      lastSourceUpdateDate: dateOf(row.sourceUpdated),
      activationDate: dateOf(row.activated),
      creationTid: row.created,
      lastUpdateTid: row.updated,
      lastSourceUpdateTid: row.sourceUpdated,
      activationTid: row.activated,
    },
    attributes: only(instanceValues(data, row), columns),
  };
}

/** "Master record (read)"; a view shows its own columns. */
export function showMaster(
  data: MasterData,
  row: MasterRow,
  shown: readonly string[],
  columns?: Columns,
): JsonObject {
  return {
    type: row.entity,
    metadata: {
      id: row.id,
      active: isActive(row, data),
      creationDate: dateOf(row.created),
      lastUpdateDate: dateOf(row.updated),
      activationDate: dateOf(row.activated),
      creationTid: row.created,
      lastUpdateTid: row.updated,
      activationTid: row.activated,
    },
    attributes: only(only(masterValues(data, row), new Set(shown)), columns),
  };
}

/** "Historical record"; `until` is when the next version began. */
export function showVersion(
  row: InstanceRow | MasterRow,
  { from, active, attributes }: Version,
  until: number | undefined,
  shown?: readonly string[],
): JsonObject {
  return {
    type: row.entity,
    metadata: compact({
      id: row.id,
      validFrom: dateOf(from),
      validTo: until === undefined ? null : dateOf(until),
      active,
    }),
    attributes: only(attributes, shown === undefined ? undefined : new Set(shown)),
  };
}

/** Names of attributes that a place shows. */
export function attributesOf(place: Place): string[] {
  if (place.layer === "master")
    return [...place.model.columns.map(({ name }) => name), ...masterSystemAttributes];
  const { columns, computed } = place.model;
  return ["source_id", "master_id", "propose_id", ...[...columns, ...computed].map(({ name }) => name)];
}

export function showRow(
  data: MasterData,
  place: Place,
  row: InstanceRow | MasterRow,
  columns?: Columns,
): JsonObject {
  return "origin" in row
    ? showInstance(data, row, columns)
    : showMaster(data, row, attributesOf(place), columns);
}

function only(values: JsonObject, columns: Columns): JsonObject {
  if (columns === undefined) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => columns.has(name)));
}
