import { stableText } from "../../model/canonical.ts";
import { display } from "../../model/display.ts";
import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { isScalar, own, setOwn, text } from "../../model/json.ts";
import { listIn } from "../../model/json-text.ts";
import type { MasterDataReadClient, MasterEntity, StoredRecord } from "../../service/index.ts";
import { preloaded } from "../../service/index.ts";
import type { HandWork, Row } from "../kind.ts";
import { inactiveAtSource } from "./instance-rows.ts";
import { MovedColumns } from "./moved-columns.ts";
import { uncarried } from "./record-query.ts";
import { shown } from "./row-values.ts";
import type { MasterPlan } from "./records.ts";

/** What a master has beside its columns; no column is called like these. Only what is inactive has it. */
export const inactiveName = "(inactive)";

/** A relation: its role, and the key of the master at its other end. */
export interface MasterRelation {
  readonly role: string;
  readonly entity: string;
  readonly key: readonly Json[];
}

export const masterRelationName = ({ role, entity, key }: MasterRelation): string =>
  `(related ${JSON.stringify([role, entity, key])})`;

/** Undefined for any other name. */
export function masterRelation(name: string): MasterRelation | undefined {
  const inside = /^\(related (.+)\)$/s.exec(name)?.[1];
  // A key may be a number that JavaScript cannot hold.
  const parts = inside === undefined ? undefined : listIn(inside);
  if (parts === undefined) return undefined;
  const [role, entity, key] = parts as [string, string, readonly Json[]];
  return { role, entity, key };
}

/** What the server says of masters itself (document 3, "Master record (read)"): never sent. */
const computed = /^(std_|eng_|dq_indicator|group_size$|published_by$|source_id$|master_id$|propose_id$|id$)/;

/** Which columns of masters are moved; those of the key always. */
export class MasterColumns extends MovedColumns {
  constructor(columns: readonly string[], key: readonly string[] = []) {
    super([...columns, ...key], computed);
  }
}

/** The same text for the same value of a column. */
export type ColumnText = (column: string, value: Json) => string;

export interface MasterContext {
  readonly of: MasterEntity;
  readonly plan: MasterPlan;
  readonly columns: MasterColumns;
  /** By which columns masters of another entity of the view are known; undefined where the plan names none. */
  readonly keyOf: (entity: string) => readonly string[] | undefined;
  /** By what values of their columns are told apart. */
  readonly text: ColumnText;
  /** The same for another entity of the view. */
  readonly textOf: (entity: string) => Promise<ColumnText>;
  /** Whether the plan names masters of another entity after these. */
  readonly isLater: (entity: string) => boolean;
  /** Origins of the source become those of the target. */
  readonly rename: (origin: string) => string;
  /** Why the target would not take these values. */
  readonly unfit?: (values: JsonObject) => string | undefined;
  readonly client: MasterDataReadClient;
}

/** A master as a row in the words of the target; overrides are read one record at a time, where they are asked for. */
export async function masterRow(record: StoredRecord, context: MasterContext): Promise<Row> {
  const { plan, columns, unfit } = context;
  const values: MutableJson = {};
  const byHand: HandWork[] = [];
  for (const [name, value] of Object.entries(record.attributes))
    if (value !== null && columns.has(name)) setOwn(values, name, value);
  if (plan.activity && record.isActive === false) values[inactiveName] = true;
  for (const role of plan.relationships)
    for (const other of preloaded(record, role) ?? []) {
      const relation = await relationOf(role, other, context);
      if ("relation" in relation) values[masterRelationName(relation.relation)] = true;
      byHand.push(relation.hand);
    }
  if (plan.overrides) byHand.push(...(await layUnder(values, record, context)));
  const problem = keyProblem(plan.key, values);
  const bad = problem ?? unfit?.(values);
  return {
    key: keyText(plan.key, values, context.text),
    name: plan.key.map((column) => shown(own(values, column))).join(" / ") || record.id,
    values,
    unmoved: () => columns.without(record.attributes),
    address: record.id,
    ...(record.isActive === false && !plan.activity ? { leftOut: inactiveAtSource } : {}),
    ...(bad === undefined ? {} : { bad }),
    ...(byHand.length === 0 ? {} : { byHand }),
  };
}

/** Undefined where a part of it is empty. */
export function keyText(key: readonly string[], values: JsonObject, textOf: ColumnText): string | undefined {
  const parts = key.map((column) => own(values, column));
  if (parts.some((value) => value === undefined || value === null || value === "")) return undefined;
  return stableText(key.map((column, at) => textOf(column, parts[at] ?? null)));
}

/** What a master is told apart by; null where it says nothing. */
export function keyParts(columns: readonly string[], values: JsonObject): readonly Json[] {
  return columns.map((column) => own(values, column) ?? null);
}

/** Why a master cannot be looked for by its key. */
function keyProblem(key: readonly string[], values: JsonObject): string | undefined {
  for (const column of key) {
    const value = own(values, column);
    const its = `its key column ${display(column)}`;
    if (value === undefined || value === null || value === "") return `${its} is empty`;
    if (!isScalar(value)) return `${its} is neither text, number nor truth value`;
    const odd = uncarried(shown(value));
    if (odd !== undefined) return `${its} holds ${odd}`;
  }
  return undefined;
}

/** Relations are made with their record and never later: document 3 gives a PUT of a master attributes alone. */
async function relationOf(
  role: string,
  other: StoredRecord,
  { keyOf, rename, textOf }: MasterContext,
): Promise<{ readonly relation: MasterRelation; readonly hand: HandWork } | { readonly hand: HandWork }> {
  const entity = text(other.body, "type") ?? "";
  const its = `its relation ${display(role)} to`;
  if (other.origin !== undefined) {
    // Which instances belong to a master is for match and merge to say.
    const instance = `${rename(other.origin)} / ${other.sourceId ?? other.id}`;
    return { hand: { what: `${its} the instance ${display(instance)}` } };
  }
  const columns = keyOf(entity);
  const key = columns === undefined ? [] : keyParts(columns, other.attributes);
  const isKnown = columns !== undefined && key.every((value) => value !== null && value !== "");
  if (!isKnown)
    return {
      hand: { what: `${its} a ${display(entity)} whose key the plan does not name, or that has none` },
    };
  // The key of the other end is one key, however each side writes it.
  const same = stableText([role, entity, keyText(columns, other.attributes, await textOf(entity)) ?? ""]);
  return {
    relation: { role, entity, key },
    hand: {
      same,
      what: `${its} the ${display(entity)} ${key.map((value) => display(shown(value))).join(" / ")}`,
      comesWithCreation: true,
    },
  };
}

/** The value below an override is the record's; the override itself is for a person, since no request sets one. */
async function layUnder(
  values: MutableJson,
  { id, attributes }: StoredRecord,
  { of, plan, columns, client }: MasterContext,
): Promise<readonly HandWork[]> {
  const found: HandWork[] = [];
  for (const { attribute, original } of await client.records.overrides(of, id)) {
    if (!columns.has(attribute) || plan.key.includes(attribute)) continue;
    const value = own(attributes, attribute) ?? null;
    found.push({ what: `the override of ${display(attribute)} (${display(stableText(value))})` });
    if (original === null) delete values[attribute];
    else setOwn(values, attribute, original);
  }
  return found;
}

/** What the target hides under overrides of its own: it is compared by what is below. */
export async function masterUnhidden(row: Row, context: MasterContext): Promise<Row> {
  const values: MutableJson = { ...row.values };
  const { of, plan, client, columns } = context;
  for (const { attribute, original } of await client.records.overrides(of, row.address ?? "")) {
    if (!columns.has(attribute) || plan.key.includes(attribute)) continue;
    if (original === null) delete values[attribute];
    else setOwn(values, attribute, original);
  }
  return { ...row, values };
}
