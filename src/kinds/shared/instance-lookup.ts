import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries } from "../../model/json.ts";
import type { InstanceEntity, MasterDataReadClient, RecordQuery, StoredRecord } from "../../service/index.ts";
import type { Row } from "../kind.ts";
import { addressPieces } from "./address-pieces.ts";
import type { InstanceColumns } from "./instance-rows.ts";
import { timestampName } from "./instance-rows.ts";
import { matchingOf, seamed, uncarried } from "./record-query.ts";

/** Source ids of one look-up. */
export const perLookUp = 100;

/** What tells instances of one entity apart. */
export type RecordKey = Pick<StoredRecord, "origin" | "sourceId">;

export function wholeKey({ origin, sourceId }: RecordKey): string {
  return JSON.stringify([origin, sourceId]);
}

/**
 * What stands under these keys, and under their source ids with other origins. A page that lacks a record may be all that
 * the server gives at once: then the next one is asked for, too.
 */
export async function instancesByKey(
  { records }: MasterDataReadClient,
  of: InstanceEntity,
  keys: readonly RecordKey[],
  relationships: readonly string[],
): Promise<readonly StoredRecord[]> {
  const preload = relationships.length === 0 ? {} : { preload: relationships };
  const all: StoredRecord[] = [];
  const bySourceId = Map.groupBy(keys, ({ sourceId = "" }) => sourceId);
  const sourceIds = [...bySourceId.keys()];
  const odd = sourceIds.filter((id) => id.includes("*"));
  const plain = sourceIds.filter((id) => !id.includes("*"));
  for (const some of addressPieces(plain, (id) => [id])) {
    const unseen = new Set(some.flatMap((id) => bySourceId.get(id) ?? []).map(wholeKey));
    for await (const page of records.records(of, { equal: { source_id: some }, ...preload }, seamed)) {
      all.push(...page.records);
      // One source id may stand under several origins, of which some are nobody's business here.
      for (const record of page.records) unseen.delete(wholeKey(record));
      if (unseen.size === 0) break;
    }
  }
  if (odd.length === 0) return all;
  // Only a list gives relations along, and a `*` finds more there than it says.
  const pages =
    relationships.length === 0
      ? records.search(of, { source_id: odd }, seamed)
      : records.records(of, { matching: { source_id: odd }, ...preload }, seamed);
  for await (const page of pages)
    all.push(...page.records.filter(({ sourceId }) => odd.includes(sourceId ?? "")));
  return all;
}

/**
 * The keys of these that a list shows which is filtered as the plan says, as far as one can be asked for them. `doFit`: what has an id of
 * these there fits a filter of ids, as it did where it was found.
 */
export async function keysThere(
  { records }: MasterDataReadClient,
  of: InstanceEntity,
  keys: readonly RecordKey[],
  filter: Readonly<Record<string, string | number | boolean>>,
  { doFit }: { readonly doFit: boolean },
): Promise<readonly RecordKey[]> {
  const there: RecordKey[] = [];
  const ids = new Set(keys.map(({ sourceId }) => sourceId).filter(isCarried));
  const [odd, plain] = [true, false].map((isOdd) => [...ids].filter((id) => id.includes("*") === isOdd));
  const take = async (query: RecordQuery): Promise<void> => {
    for await (const page of records.records(of, query, seamed))
      for (const { origin = "", sourceId = "" } of page.records)
        if (ids.has(sourceId)) there.push({ origin, sourceId });
  };
  // No request names a column twice.
  if (!doFit && Object.hasOwn(filter, "source_id")) {
    await take({ matching: matchingOf(filter) });
    return there;
  }
  const { source_id: _fits, ...others } = filter;
  const matching = matchingOf(others);
  for (const some of addressPieces(plain ?? [], (id) => [id]))
    await take({ matching, equal: { source_id: some } });
  // A list finds more under a `*` than it says.
  for (const some of addressPieces(odd ?? [], (id) => [id]))
    await take({ matching: { ...matching, source_id: some } });
  return there;
}

function isCarried(id: string | undefined): id is string {
  return id !== undefined && uncarried(id) === undefined;
}

/** A row of the target beside the one of the source that it was looked up for. */
export interface Sought {
  readonly columns: InstanceColumns;
  readonly text: (name: string, value: Json) => string;
  readonly stays: (name: string) => boolean;
}

/**
 * The row with what is compared of it, and whether that differs. A relation that only the target has is its own, and so is a
 * time of which the source says none.
 */
export function asSought(
  row: Row,
  sought: JsonObject,
  { columns, text, stays }: Sought,
): { readonly row: Row; readonly differs: boolean } {
  const own = fromEntries(
    Object.entries(row.values).filter(([name]) => !stays(name) || Object.hasOwn(sought, name)),
  );
  const differs = Object.keys({ ...own, ...sought }).some(
    (name) => columns.has(name) && text(name, own[name] ?? null) !== text(name, sought[name] ?? null),
  );
  const beside = Object.keys(row.values).filter((name) => !Object.hasOwn(own, name));
  return { row: { ...row, values: own, beside, ...asideOf(row.values, own) }, differs };
}

/**
 * A source that begins to say when, or ends, has changed; the target has not by that. Nor has it where the source does not lead
 * any more to what it was brought to.
 */
function asideOf(values: JsonObject, own: JsonObject): Pick<Row, "aside"> {
  const isLess = Object.keys(values).some((name) => name !== timestampName && !Object.hasOwn(own, name));
  const time = values[timestampName];
  const as = isLess ? [own, values] : [own];
  const aside = as.flatMap(({ [timestampName]: _time, ...rest }) =>
    time === undefined ? [rest] : [rest, { ...rest, [timestampName]: time }],
  );
  return isLess || time !== undefined ? { aside } : {};
}
