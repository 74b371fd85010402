import type { MasterData } from "./master-data.ts";
import type { InstanceRow, MasterRow } from "./rows.ts";
import { instanceValues, isActive, masterValues, ownValues } from "./values.ts";
import type { JsonObject } from "../json.ts";
import { sameJson } from "../json.ts";
import type { MatchRule } from "./model.ts";

/**
 * Match and merge: a record joins the master of whoever a rule finds, stays with whom it still matches, and is a master
 * of its own otherwise. To be called after every change of an instance.
 */
export function settle(data: MasterData, row: InstanceRow): void {
  const rules = data.entityModel(row.entity)?.rules ?? [];
  const values = ownValues(data, row);
  const keys = rules.map((rule) => rule.key(values));
  const isKnown = row.masterId !== undefined && keys.every((key, index) => key === row.keys[index]);
  if (!isKnown && data.masters(row.entity) !== undefined) {
    for (const [index, rule] of rules.entries()) moveKey(data, row, rule, row.keys[index], keys[index]);
    row.keys = keys;
    join(data, row, mastersFor(data, row.entity, keys, row));
  }
  data.instances(row.entity)?.touch(row);
  if (row.masterId !== undefined) settleMaster(data, row.entity, row.masterId);
  if (data.historised.instance.has(row.entity)) noteHistory(data, row, instanceValues(data, row));
}

/** To be called after every change of a master, or of what it is merged from. */
export function settleMaster(data: MasterData, entity: string, id: number): void {
  const master = data.masters(entity)?.get(id);
  if (master === undefined) return;
  master.updated = data.nextMoment();
  data.masters(entity)?.touch(master);
  if (data.historised.master.has(entity)) noteHistory(data, master, masterValues(data, master));
}

/** A master that a rule finds for a record with such keys, with the instance that is like it. */
interface Found {
  readonly rule: MatchRule;
  readonly masterId: number;
  readonly relatedId: number;
}

/** In the order of rules, then of instances; each master once. */
export function mastersFor(
  data: MasterData,
  entity: string,
  keys: readonly (string | undefined)[],
  except?: InstanceRow,
): Found[] {
  const table = data.instances(entity);
  const found = new Map<number, Found>();
  for (const [index, rule] of (data.entityModel(entity)?.rules ?? []).entries()) {
    const key = keys[index];
    if (key === undefined) continue;
    const ids = data.matchKeys.get(`${entity} ${rule.name} ${key}`);
    for (const id of typeof ids === "number" ? [ids] : (ids ?? [])) {
      const masterId = id === except?.id ? undefined : table?.get(id)?.masterId;
      if (masterId !== undefined && !found.has(masterId))
        found.set(masterId, { rule, masterId, relatedId: id });
    }
  }
  return [...found.values()];
}

function join(data: MasterData, row: InstanceRow, found: readonly Found[]): void {
  const matching = found.filter(({ rule }) => rule.proposes !== true);
  const before = row.masterId;
  const own = before === undefined ? undefined : data.masters(row.entity)?.get(before);
  const isAlone = own?.members.length === 1;
  const stays = matching.some(({ masterId }) => masterId === before) || (matching.length === 0 && isAlone);
  if (!stays) {
    const wanted = matching[0]?.masterId ?? newMaster(data, row.entity).id;
    if (own !== undefined) leave(data, own, row.id);
    const master = data.masters(row.entity)?.get(wanted);
    if (master !== undefined) master.members = [...master.members, row.id];
    row.masterId = wanted;
  }
  const proposal = found.find(({ masterId }) => masterId !== row.masterId)?.masterId;
  if (proposal === undefined) delete row.proposeId;
  else row.proposeId = proposal;
}

function leave(data: MasterData, master: MasterRow, id: number): void {
  master.members = master.members.filter((member) => member !== id);
  if (master.members.length === 0 && master.authored === undefined)
    data.masters(master.entity)?.delete(master);
  else settleMaster(data, master.entity, master.id);
}

export function newMaster(
  data: MasterData,
  entity: string,
  authored?: NonNullable<MasterRow["authored"]>,
): MasterRow {
  const now = data.nextMoment();
  const master: MasterRow = {
    id: data.nextId(),
    entity,
    born: data.birth(),
    created: now,
    updated: now,
    activated: now,
    members: [],
    ...(authored === undefined ? {} : { authored }),
  };
  data.masters(entity)?.add(master);
  return master;
}

function moveKey(
  data: MasterData,
  row: InstanceRow,
  rule: MatchRule,
  before: string | undefined,
  now: string | undefined,
): void {
  if (before === now) return;
  const { matchKeys } = data;
  if (before !== undefined) {
    const name = `${row.entity} ${rule.name} ${before}`;
    const ids = matchKeys.get(name);
    if (typeof ids === "object") ids.delete(row.id);
    else matchKeys.delete(name);
  }
  if (now === undefined) return;
  const name = `${row.entity} ${rule.name} ${now}`;
  const ids = matchKeys.get(name);
  if (ids === undefined) matchKeys.set(name, row.id);
  else if (typeof ids === "number") matchKeys.set(name, new Set([ids, row.id]));
  else ids.add(row.id);
}

/** A version is kept when something is otherwise than in the last one. */
function noteHistory(data: MasterData, row: InstanceRow | MasterRow, attributes: JsonObject): void {
  const active = isActive(row, data);
  const last = row.history?.at(-1);
  if (last !== undefined && last.active === active && sameJson(last.attributes, attributes)) return;
  row.history = [...(row.history ?? []), { from: data.nextMoment(), active, attributes }];
}
