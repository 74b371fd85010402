import type { JsonObject } from "../json.ts";
import { sameJson } from "../json.ts";
import type { MasterData } from "./master-data.ts";
import { settle, settleMaster } from "./merge.ts";
import type { RelationshipModel } from "./model.ts";
import type { InstanceRow, MasterRow } from "./rows.ts";

/** Changes of the state, checked already. What is asked for is done, and said to be done only where it changed something. */

export interface NewInstance {
  readonly entity: string;
  readonly origin: string;
  readonly sourceId: string;
  readonly source?: JsonObject;
  /** Milliseconds. */
  readonly sourceTime?: number | undefined;
}

export function insertInstance(data: MasterData, fields: NewInstance): InstanceRow {
  const now = data.nextMoment();
  const row: InstanceRow = {
    id: data.nextId(),
    entity: fields.entity,
    origin: fields.origin,
    sourceId: fields.sourceId,
    source: { ...fields.source },
    active: true,
    ...(fields.sourceTime === undefined ? {} : { sourceTime: fields.sourceTime }),
    born: data.birth(),
    created: now,
    updated: now,
    sourceUpdated: now,
    activated: now,
    keys: [],
  };
  data.addInstance(row);
  settle(data, row);
  return row;
}

/** Values that are not named stay, or are empty then; those of a request that names none stay. Whether anything is otherwise now. */
export function updateInstance(
  data: MasterData,
  row: InstanceRow,
  source: JsonObject | undefined,
  sourceTime: number | undefined,
): boolean {
  const isWhole = data.quirks.unnamed === "emptied" && source !== undefined;
  const next = isWhole ? { ...source } : { ...row.source, ...source };
  const isSame = sameJson(next, row.source) && (sourceTime === undefined || sourceTime === row.sourceTime);
  if (isSame) return false;
  row.source = next;
  if (sourceTime !== undefined) row.sourceTime = sourceTime;
  row.updated = data.nextMoment();
  row.sourceUpdated = row.updated;
  settle(data, row);
  return true;
}

/** By the source's word: a logical delete. */
export function removeInstance(data: MasterData, row: InstanceRow): boolean {
  if (!row.active) return false;
  row.active = false;
  row.updated = data.nextMoment();
  row.activated = row.updated;
  settle(data, row);
  return true;
}

/** Over the source's word, or nothing over it any more. To be called only when that is a change. */
export function changeActivity(
  data: MasterData,
  row: InstanceRow | MasterRow,
  activity: boolean | undefined,
): void {
  if (activity === undefined) delete row.activity;
  else row.activity = activity;
  row.updated = data.nextMoment();
  row.activated = row.updated;
  if ("origin" in row) settle(data, row);
  else settleMaster(data, row.entity, row.id);
}

export function setOverrides(data: MasterData, row: InstanceRow, values: JsonObject): void {
  row.overrides = { ...row.overrides, ...values };
  row.updated = data.nextMoment();
  settle(data, row);
}

/** All of them when no columns are named. */
export function dropOverrides(data: MasterData, row: InstanceRow, columns?: readonly string[]): void {
  const left = Object.entries(row.overrides ?? {}).filter(
    ([name]) => columns !== undefined && !columns.includes(name),
  );
  if (left.length === 0) delete row.overrides;
  else row.overrides = Object.fromEntries(left);
  row.updated = data.nextMoment();
  settle(data, row);
}

/** Whether they were not linked so before; a child has one parent of a relationship. */
export function link(
  data: MasterData,
  relationship: RelationshipModel,
  parent: InstanceRow,
  child: InstanceRow,
): boolean {
  const { name } = relationship;
  const before = child.parents?.get(name);
  if (before === parent.id) return false;
  if (before !== undefined) {
    const old = data.instances(relationship.parent)?.get(before);
    const left = old?.children?.get(name)?.filter((id) => id !== child.id) ?? [];
    old?.children?.set(name, left);
  }
  child.parents ??= new Map();
  child.parents.set(name, parent.id);
  parent.children ??= new Map();
  const children = parent.children.get(name);
  if (children === undefined) parent.children.set(name, [child.id]);
  else children.push(child.id);
  return true;
}
