import { stableText } from "../../model/canonical.ts";
import { display } from "../../model/display.ts";
import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { own, setOwn, text } from "../../model/json.ts";
import type { MasterDataReadClient, StoredRecord } from "../../service/index.ts";
import { preloaded } from "../../service/index.ts";
import type { HandWork, Row } from "../kind.ts";
import { MovedColumns } from "./moved-columns.ts";
import { uncarried } from "./record-query.ts";
import type { InstancePlan } from "./records.ts";

/** What a row has beside its columns; no column is called like these. */
export const originName = "(origin)";
export const sourceIdName = "(source id)";
export const activeName = "(active)";
export const timestampName = "(source timestamp)";

/** Of what is deactivated and not at the target: made there, it would be active. */
export const inactiveAtSource =
  "it is inactive at the source, and activity is not moved: say activity: true for it in the plan, or leave such rows out with a filter on eng_active";

export const overrideName = (attribute: string): string => `(override ${attribute})`;
export const relatedName = (role: string, origin: string, sourceId: string, entity = ""): string =>
  `(related ${JSON.stringify([role, origin, sourceId, entity])})`;

/** The attribute that an override is laid over; undefined for any other name. */
export function overridden(name: string): string | undefined {
  return /^\(override (.+)\)$/s.exec(name)?.[1];
}

/** Role, origin and source id of a relation, and the entity where the other end said it; undefined for any other name. */
export function related(
  name: string,
): readonly [role: string, origin: string, sourceId: string, entity: string] | undefined {
  const text = /^\(related (.+)\)$/s.exec(name)?.[1];
  const parts: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!Array.isArray(parts)) return undefined;
  const [role, origin, sourceId, entity] = parts.map(String);
  return [role ?? "", origin ?? "", sourceId ?? "", entity ?? ""];
}

/** Computed by the server, or its own: never sent (document 3, "Resources and their fields"). */
const computed = /^(std_|cmo_|eng_|source_id$|master_id$|propose_id$)/;

export function isComputed(name: string): boolean {
  return computed.test(name);
}

/** Of these what a person may say otherwise than the server has worked it out; the others are its own. */
const workedOut = /^(std_|cmo_)/;

/** Which columns of instances are moved; `*` stands for anything. */
export class InstanceColumns extends MovedColumns {
  constructor(columns: readonly string[]) {
    super(columns, computed);
  }

  /** Overrides say what people say, also over what is never sent: no pattern of a plan names those columns. */
  hasOverride(name: string): boolean {
    return this.has(name) || workedOut.test(name);
  }
}

export interface InstanceContext {
  readonly plan: InstancePlan;
  readonly columns: InstanceColumns;
  /** Origins of the source become those of the target; the target's are its own. */
  readonly rename: (origin: string) => string;
  /** Why the target would not take these values; of what the target has itself nothing. */
  readonly unfit?: (values: JsonObject) => string | undefined;
  /** Why the target would not take this over a column; of what the target has itself nothing. */
  readonly misfit?: ((attribute: string, value: Json) => string | undefined) | undefined;
  readonly client: MasterDataReadClient;
}

/** Why a row cannot be sent at all: what it is known by stands in addresses. */
function unsendable(origin: string, sourceId: string | undefined): string | undefined {
  if (sourceId === undefined || sourceId === "") return "it has no source id";
  const [inId, inOrigin] = [uncarried(sourceId), uncarried(origin)];
  if (inId !== undefined) return `its source id holds ${inId}`;
  return inOrigin === undefined ? undefined : `its origin holds ${inOrigin}`;
}

/** Why no request can write the row: the address would be that of something else. */
export function unaddressed(values: JsonObject): string | undefined {
  const { origin, sourceId } = keyIn(values);
  const its = (what: string, word: string): string =>
    `its ${what} is "${word}", which no address of a record can end with`;
  if (isStep(sourceId)) return its("source id", sourceId);
  return isStep(origin) ? its("origin", origin) : undefined;
}

/** In a path it says where to go, also where it is escaped. */
function isStep(word: string): boolean {
  return word === "." || word === "..";
}

export function instanceKey(origin: string, sourceId: string): string {
  return stableText([origin, sourceId]);
}

/** A record as a row in the words of the target; overrides are read one record at a time, and only where they are asked for. */
export async function instanceRow(
  record: StoredRecord,
  { plan, columns, rename, client, unfit, misfit }: InstanceContext,
): Promise<Row> {
  const origin = rename(record.origin ?? "");
  const { sourceId } = record;
  const values: MutableJson = { [originName]: origin, [sourceIdName]: sourceId ?? "" };
  for (const [name, value] of Object.entries(record.attributes))
    if (value !== null && columns.has(name)) setOwn(values, name, value);
  const { sourceTimestamp: shown } = record;
  const time = shown === undefined ? undefined : sendableTimestamp(shown);
  if (time !== undefined) values[timestampName] = time;
  if (plan.activity && record.isActive !== undefined) values[activeName] = record.isActive;
  const unnameable: HandWork[] = [];
  for (const role of plan.relationships)
    for (const other of preloaded(record, role) ?? []) {
      const { sourceId: id } = other;
      if (id === undefined) continue;
      const [to, entity] = [rename(other.origin ?? ""), text(other.body, "type")];
      const why = unsendable(to, id);
      if (why === undefined) values[relatedName(role, to, id, entity)] = true;
      else
        unnameable.push({ what: `its relation ${display(role)} to ${display(to)} / ${display(id)}: ${why}` });
    }
  const byHand = [
    ...(plan.overrides ? await layOver(values, record, columns, { plan, client, misfit }) : []),
    // Which record is the younger one decides what a master says, so it goes along.
    ...(shown !== undefined && time === undefined ? [oddTimestamp(shown)] : []),
    ...unnameable,
  ];
  const bad = unsendable(origin, sourceId) ?? unfit?.(values);
  const key = sourceId === undefined || sourceId === "" ? undefined : instanceKey(origin, sourceId);
  return {
    key,
    name: `${origin} / ${sourceId ?? record.id}`,
    values,
    unmoved: () => columns.without(record.attributes),
    address: record.id,
    ...(record.isActive === false ? { isGone: true as const } : {}),
    ...(record.isActive === false && !plan.activity ? { leftOut: inactiveAtSource } : {}),
    ...(byHand.length === 0 ? {} : { byHand }),
    ...(bad === undefined ? {} : { bad }),
  };
}

function oddTimestamp(shown: string): HandWork {
  return { what: `its source timestamp, ${display(shown)}, which is in no form that a request takes` };
}

const isoTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?$/;

/**
 * A source timestamp as requests take it (document 3, "Modify", rule 3): to the millisecond, and with an offset, since
 * the server's local time is what it reads a `Z` as. What is shown without a zone is sent as it is shown: nobody says
 * which one it is. Undefined where no form fits.
 */
export function sendableTimestamp(shown: string): string | undefined {
  const [, minutes, seconds = ":00", fraction = "", zone = ""] = isoTime.exec(shown) ?? [];
  if (minutes === undefined) return undefined;
  const milliseconds = fraction === "" ? "" : fraction.slice(0, 4).padEnd(4, "0");
  const [sign, hours, rest] = [zone.slice(0, 1), zone.slice(1, 3), zone.slice(3).replace(":", "")];
  const offset = zone === "" ? "" : zone === "Z" ? "+00:00" : `${sign}${hours}:${rest === "" ? "00" : rest}`;
  return `${minutes}${seconds}${milliseconds}${offset}`;
}

/** The value below an override is the record's, and what shows is the override. */
async function layOver(
  values: MutableJson,
  { id, attributes }: StoredRecord,
  columns: InstanceColumns,
  { plan, client, misfit }: Pick<InstanceContext, "plan" | "client" | "misfit">,
): Promise<readonly HandWork[]> {
  const byHand: HandWork[] = [];
  for (const { attribute, original } of await client.records.overrides(
    { layer: "instance", entity: plan.entity },
    id,
  )) {
    if (!columns.hasOverride(attribute)) continue;
    const shown = own(attributes, attribute) ?? null;
    const why = misfit?.(attribute, shown);
    // No document shows a request that lays nothing over a value.
    if (shown === null)
      byHand.push({ what: `the override of ${display(attribute)}, which hides its value behind none` });
    // Without it the row arrives all the same; sent, it would be refused by each run.
    else if (why !== undefined) byHand.push({ what: `the override of ${display(attribute)} (${why})` });
    else setOwn(values, overrideName(attribute), shown);
    // What the server works out is below it there, too.
    if (!columns.has(attribute)) continue;
    if (original === null) delete values[attribute];
    else setOwn(values, attribute, original);
  }
  return byHand;
}

/** What a side hides under overrides that are not moved: it is compared by what is below. */
export async function unhidden(row: Row, context: InstanceContext): Promise<Row> {
  const { plan, client, columns } = context;
  const { address = "", aside } = row;
  const found = await client.records.overrides({ layer: "instance", entity: plan.entity }, address);
  const below = (all: JsonObject): JsonObject => {
    const values: MutableJson = { ...all };
    for (const { attribute, original } of found) {
      if (!columns.has(attribute)) continue;
      if (original === null) delete values[attribute];
      else setOwn(values, attribute, original);
    }
    return values;
  };
  return { ...row, values: below(row.values), ...(aside === undefined ? {} : { aside: aside.map(below) }) };
}

export function keyIn(values: JsonObject): { readonly origin: string; readonly sourceId: string } {
  const at = (name: string): string => {
    const value: Json | undefined = own(values, name);
    return typeof value === "string" ? value : "";
  };
  return { origin: at(originName), sourceId: at(sourceIdName) };
}
