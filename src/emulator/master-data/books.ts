import type { Json, JsonObject } from "../json.ts";
import { checkSource } from "./identify.ts";
import { asText, dateOf, type MasterData } from "./master-data.ts";
import { linkMasters } from "./master-writes.ts";
import { newMaster, settleMaster } from "./merge.ts";
import { type EntityModel, rolesOf } from "./model.ts";
import type { InstanceRow, MasterRow } from "./rows.ts";
import { instanceValues, isActive, masterValues, membersOf } from "./values.ts";
import {
  changeActivity,
  dropOverrides,
  insertInstance,
  link,
  removeInstance,
  setOverrides,
  updateInstance,
} from "./write.ts";

/** The state of a server, read and changed without a request: for tests and scenarios. */

export interface SeedInstance {
  readonly entity: string;
  readonly origin: string;
  readonly sourceId: string;
  readonly attributes: JsonObject;
  /** Milliseconds. */
  readonly sourceTime?: number;
  readonly overrides?: JsonObject;
  /** False: the source has removed it. */
  readonly active?: boolean;
  /** Set over what the source says. */
  readonly activity?: boolean;
}

/** As a load would put it there, over one of the same origin and source id. Throws the refusal of a wrong attribute. */
export function putInstance(data: MasterData, fields: SeedInstance): InstanceRow {
  const { entity, origin, sourceId, attributes, sourceTime, overrides, active, activity } = fields;
  const model = data.entityModel(entity);
  if (model === undefined) throw new Error(`There is no entity ${entity}.`);
  const source = checkSource(model, attributes);
  const existing = data.byKey(entity, origin, sourceId);
  if (existing !== undefined) updateInstance(data, existing, source, sourceTime);
  const row = existing ?? insertInstance(data, { entity, origin, sourceId, source, sourceTime });
  if (overrides !== undefined) setOverrides(data, row, overrides);
  if (active === false) removeInstance(data, row);
  if (activity !== undefined) changeActivity(data, row, activity);
  return row;
}

export function clearOverrides(data: MasterData, row: InstanceRow): void {
  dropOverrides(data, row);
}

export function setActivity(
  data: MasterData,
  row: InstanceRow | MasterRow,
  activity: boolean | undefined,
): void {
  changeActivity(data, row, activity);
}

/** `role` as it is named at the first of them. */
export function relate(data: MasterData, row: InstanceRow, role: string, other: InstanceRow): void {
  const found = rolesOf(data.model, row.entity).find(({ name }) => name === role);
  if (found === undefined) throw new Error(`${row.entity} has no relationship ${role}.`);
  if (found.leadsUp) link(data, found.relationship, other, row);
  else link(data, found.relationship, row, other);
}

/** The same for two masters that people have authored. */
export function relateMasters(data: MasterData, row: MasterRow, role: string, other: MasterRow): void {
  const found = rolesOf(data.model, row.entity).find(({ name }) => name === role);
  if (found === undefined) throw new Error(`${row.entity} has no relationship ${role}.`);
  linkMasters(data, row, found, other);
}

/** As a person makes one in the web application. */
export function authorMaster(
  data: MasterData,
  fields: { readonly entity: string; readonly attributes: JsonObject; readonly by?: string },
): MasterRow {
  const row = newMaster(data, fields.entity, {
    values: fields.attributes,
    by: fields.by ?? "steward",
    active: true,
  });
  settleMaster(data, fields.entity, row.id);
  return row;
}

/** As a person changes one that is authored. */
export function writeMaster(data: MasterData, row: MasterRow, values: JsonObject): void {
  if (row.authored === undefined) throw new Error(`Master ${row.id} is merged from instances.`);
  row.authored = { ...row.authored, values: { ...row.authored.values, ...values } };
  settleMaster(data, row.entity, row.id);
}

/** How masters are overridden is not shown; that they can be is. */
export function overrideMaster(data: MasterData, row: MasterRow, values: JsonObject): void {
  row.overrides = { ...row.overrides, ...values };
  settleMaster(data, row.entity, row.id);
}

/** What an instance is whatever its id: the same on two servers that hold the same. */
export interface InstanceBook extends JsonObject {
  entity: string;
  origin: string;
  source_id: string;
  active: boolean;
  activity: boolean | null;
  source: JsonObject;
  overrides: JsonObject;
  source_timestamp: string | null;
  /** `origin source_id` of the parent, by relationship. */
  parents: JsonObject;
}

export function instanceBook(data: MasterData, row: InstanceRow): InstanceBook {
  return {
    entity: row.entity,
    origin: row.origin,
    source_id: row.sourceId,
    active: isActive(row, data),
    activity: row.activity ?? null,
    source: { ...row.source },
    overrides: { ...row.overrides },
    source_timestamp: row.sourceTime === undefined ? null : new Date(row.sourceTime).toISOString(),
    parents: Object.fromEntries(
      [...(row.parents ?? [])].map(([name, id]): [string, Json] => {
        const parent = data.model.relationships.find((one) => one.name === name)?.parent ?? "";
        const found = data.instances(parent)?.get(id);
        return [name, found === undefined ? null : `${found.origin} ${found.sourceId}`];
      }),
    ),
  };
}

/** The source columns of an entity are others from now on; what is stored stays. */
export function remodel(data: MasterData, entity: string, columns: EntityModel["columns"]): void {
  const model = data.entityModel(entity);
  if (model === undefined) throw new Error(`There is no entity ${entity}.`);
  data.remodel({ ...model, columns });
}

/** The whole state as plain JSON in a stable order. */
export function dumpMasterData(data: MasterData): JsonObject {
  const instances = data.model.entities.flatMap(({ name }) =>
    (data.instances(name)?.rows ?? []).map((row) => ({
      id: row.id,
      ...instanceBook(data, row),
      shown: instanceValues(data, row),
      created: dateOf(row.created),
      updated: dateOf(row.updated),
    })),
  );
  const entities = new Set(data.model.views.flatMap(({ entities: all }) => all.map(({ name }) => name)));
  const masters = [...entities].flatMap((name) =>
    (data.masters(name)?.rows ?? []).map((row) => ({
      id: row.id,
      entity: name,
      active: isActive(row, data),
      authored: row.authored === undefined ? null : { ...row.authored.values },
      by: row.authored?.by ?? null,
      members: membersOf(data, row).map(({ origin, sourceId }) => `${origin} ${sourceId}`),
      overrides: { ...row.overrides },
      shown: masterValues(data, row),
    })),
  );
  return { server: data.name, instances, masters };
}

export function countMasterData(data: MasterData): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of data.model.entities) counts[`instance ${name}`] = data.instances(name)?.size ?? 0;
  for (const { entities } of data.model.views)
    for (const { name } of entities) counts[`master ${name}`] = data.masters(name)?.size ?? 0;
  return counts;
}

/** The instance of a key, or of an id. */
export function findInstance(
  data: MasterData,
  entity: string,
  origin: string,
  sourceId: string,
): InstanceRow | undefined {
  return data.byKey(entity, origin, sourceId);
}

/** Masters with a value. */
export function findMasters(
  data: MasterData,
  entity: string,
  column: string,
  value: Json,
): readonly MasterRow[] {
  return data.masters(entity)?.find(column, [asText(value) ?? ""]) ?? [];
}
