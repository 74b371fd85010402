import { entryOf, type Json, type JsonObject } from "../json.ts";
import type { MasterData } from "./master-data.ts";
import type { InstanceRow, MasterRow } from "./rows.ts";

/** What a record shows: values of sources and people, and what is computed of them. Nothing computed is kept. */

export function isActive(row: InstanceRow | MasterRow, data: MasterData): boolean {
  if (row.activity !== undefined) return row.activity;
  if ("origin" in row) return row.active;
  if (row.authored !== undefined) return row.authored.active;
  return membersOf(data, row).some((member) => isActive(member, data));
}

/** Source columns as they hold with overrides, and computed ones. */
export function ownValues(data: MasterData, row: InstanceRow): JsonObject {
  const model = data.entityModel(row.entity);
  const overrides = row.overrides ?? {};
  const values: JsonObject = {};
  for (const { name } of model?.columns ?? []) values[name] = first(name, overrides, row.source) ?? null;
  const computed: JsonObject = {};
  for (const { name, compute } of model?.computed ?? [])
    computed[name] = Object.hasOwn(overrides, name) ? (overrides[name] ?? null) : compute(values);
  return { ...values, ...computed };
}

export function instanceValues(data: MasterData, row: InstanceRow): JsonObject {
  return {
    source_id: row.sourceId,
    master_id: row.masterId ?? null,
    propose_id: row.proposeId ?? null,
    ...ownValues(data, row),
  };
}

/** System columns are no attributes: they are filtered and sorted by. */
export const systemColumns = {
  instance: [
    "eng_active",
    "eng_origin",
    "eng_source_system",
    "eng_creation_tid",
    "eng_last_update_tid",
    "eng_last_source_update_tid",
    "eng_activation_tid",
  ],
  master: ["eng_active", "eng_creation_tid", "eng_last_update_tid", "eng_activation_tid"],
} as const;

export function instanceValue(data: MasterData, row: InstanceRow, column: string): Json | undefined {
  switch (column) {
    case "source_id":
      return row.sourceId;
    case "master_id":
      return row.masterId ?? null;
    case "propose_id":
      return row.proposeId ?? null;
    case "eng_origin":
      return row.origin;
    case "eng_source_system":
      return sourceSystemOf(row.origin);
    case "eng_last_source_update_tid":
      return row.sourceUpdated;
    default:
      return commonValue(data, row, column) ?? entryOf(ownValues(data, row), column);
  }
}

export function masterValue(data: MasterData, row: MasterRow, column: string): Json | undefined {
  return commonValue(data, row, column) ?? entryOf(masterValues(data, row), column);
}

function commonValue(data: MasterData, row: InstanceRow | MasterRow, column: string): Json | undefined {
  switch (column) {
    case "eng_active":
      return isActive(row, data);
    case "eng_creation_tid":
      return row.created;
    case "eng_last_update_tid":
      return row.updated;
    case "eng_activation_tid":
      return row.activated;
    default:
      return undefined;
  }
}

export const masterSystemAttributes = ["dq_indicator", "dq_indicator_name", "group_size", "published_by"];

/** Whoever merges: no field tells authored records from merged ones, but a person has a name. */
const engine = "match-and-merge";

export function masterValues(data: MasterData, row: MasterRow): JsonObject {
  const members = membersOf(data, row).filter((member) => isActive(member, data));
  const best = members.length > 1 ? members.sort(newestFirst) : members;
  const sources = best.map((member) => ownValues(data, member));
  const values: JsonObject = {};
  for (const { name, from } of data.masterColumns(row.entity)) {
    const found = from === undefined ? undefined : sources.find((source) => isSaid(entryOf(source, from)));
    const merged = from === undefined || found === undefined ? null : (entryOf(found, from) ?? null);
    values[name] = first(name, row.overrides ?? {}, row.authored?.values ?? {}, { [name]: merged }) ?? null;
  }
  const isWhole = Object.values(values).every(isSaid);
  return {
    ...values,
    dq_indicator: isWhole ? 1 : 0,
    dq_indicator_name: isWhole ? "COMPLETE" : "INCOMPLETE",
    group_size: members.length,
    published_by: row.authored?.by ?? engine,
  };
}

export function membersOf(data: MasterData, row: MasterRow): InstanceRow[] {
  const table = data.instances(row.entity);
  return row.members.flatMap((id) => table?.get(id) ?? []);
}

export function sourceSystemOf(origin: string): string {
  return origin.split("#")[0] ?? "";
}

/** The same on every server, whatever order the records came in. */
function newestFirst(left: InstanceRow, right: InstanceRow): number {
  const byTime = (right.sourceTime ?? 0) - (left.sourceTime ?? 0);
  if (byTime !== 0) return byTime;
  return `${left.origin}\0${left.sourceId}` < `${right.origin}\0${right.sourceId}` ? -1 : 1;
}

/** Null is a value: somebody may have set it over another one. */
function first(name: string, ...among: readonly JsonObject[]): Json | undefined {
  const found = among.find((values) => Object.hasOwn(values, name));
  return found === undefined ? undefined : found[name];
}

function isSaid(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}
