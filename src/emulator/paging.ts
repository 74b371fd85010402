import type { Urn } from "../model/urn.ts";
import { type Collection, firstAfter, type Row } from "./collection.ts";
import { type Answer, type Call, ok } from "./http/call.ts";
import { isArray, isObject, type Json, type JsonObject } from "./json.ts";
import { invalid } from "./problem.ts";

type SortValue = string | number | boolean | null;

export interface Listing<T extends { readonly urn: Urn }> {
  /** Names the list in its cursors, so that the cursor of another list is refused. */
  readonly name: string;
  readonly collection: Collection<T>;
  /** The bucket to page through. */
  readonly key: string;
  /** The documented sort fields; any other gives 400. A function decides by name. */
  readonly sortable?: Readonly<Record<string, (value: T) => SortValue>>;
  readonly sortBy?: (field: string) => ((value: T) => SortValue) | undefined;
  readonly defaultSort?: string;
  /** A further selection; `name` tells its results apart in the cache. */
  readonly filter?: { readonly name: string; readonly test: (value: T) => boolean };
  readonly render: (value: T) => Json;
  /** Whether pages go backward too (`before`, `prev`), with null for a page that does not exist. */
  readonly backward?: boolean;
}

interface Position {
  readonly seq: number;
  readonly values: readonly SortValue[];
}

interface Order<T> {
  readonly name: string;
  readonly terms: readonly { readonly get: (value: T) => SortValue; readonly sign: 1 | -1 }[];
}

/** A page of a list: `size` 1 to 100, default 20, and opaque cursors (document 1, Cursor pagination). */
export function page<T extends { readonly urn: Urn }>(call: Call, listing: Listing<T>): Answer {
  const size = pageSize(call.query.get("size"));
  const order = orderOf(call.query.get("sort") ?? listing.defaultSort ?? "", listing);
  const after = cursorOf(call, "after", listing.name, order);
  const before = listing.backward === true ? cursorOf(call, "before", listing.name, order) : undefined;
  const rows = selected(call, listing, order);
  let start = after === undefined ? 0 : indexAfter(rows, after, order);
  let end = Math.min(start + size, rows.length);
  if (before !== undefined) {
    end = indexAfter(rows, before, order, true);
    start = Math.max(0, end - size);
  }
  const shown = rows.slice(start, end);
  const cursor = (row: Row<T> | undefined): string | undefined =>
    row === undefined ? undefined : encode(listing.name, order, row);
  let next = end < rows.length ? cursor(shown.at(-1)) : undefined;
  if (call.tampering.repeatsCursor === true && next !== undefined) {
    next = call.query.get("after") ?? encodePosition(listing.name, order, { seq: 0, values: [] });
  }
  const data = shown.map((row) => listing.render(row.value));
  if (listing.backward === true) {
    const prev = start > 0 ? cursor(shown[0]) : undefined;
    return ok({ data, meta: { prev: prev ?? null, next: next ?? null } });
  }
  const meta: JsonObject = { total: rows.length };
  if (next !== undefined) meta["next"] = next;
  return ok({ data, meta });
}

/** A page of a short list that no collection keeps; its cursors are positions. */
export function pageOfArray<T>(
  call: Call,
  name: string,
  values: readonly T[],
  render: (value: T) => Json,
): Answer {
  const size = pageSize(call.query.get("size"));
  const order: Order<T> = { name: "", terms: [] };
  const start = cursorOf(call, "after", name, order)?.seq ?? 0;
  const shown = values.slice(start, start + size);
  const meta: JsonObject = { total: values.length };
  const end = start + shown.length;
  if (end < values.length) meta["next"] = encodePosition(name, order, { seq: end, values: [] });
  return ok({ data: shown.map(render), meta });
}

function pageSize(value: string | null): number {
  if (value === null) return 20;
  const size = Number(value);
  if (!/^\d+$/.test(value) || size < 1 || size > 100) throw invalid(`size must be 1 to 100, not ${value}.`);
  return size;
}

function orderOf<T extends { readonly urn: Urn }>(sort: string, listing: Listing<T>): Order<T> {
  if (sort === "") return { name: "", terms: [] };
  const terms = sort.split(",").map((part) => {
    const field = part.trim().replace(/^-/, "");
    const own = Object.hasOwn(listing.sortable ?? {}, field) ? listing.sortable?.[field] : undefined;
    const get = own ?? listing.sortBy?.(field);
    if (get === undefined) throw invalid(`This list cannot be sorted by ${field}.`);
    return { get, sign: part.trim().startsWith("-") ? (-1 as const) : (1 as const) };
  });
  return { name: sort, terms };
}

function selected<T extends { readonly urn: Urn }>(
  call: Call,
  listing: Listing<T>,
  order: Order<T>,
): readonly Row<T>[] {
  const { collection, filter, key } = listing;
  let rows = collection.bucket(key);
  if (filter !== undefined || order.terms.length > 0) {
    rows = collection.view(JSON.stringify([key, filter?.name, order.name]), () => {
      const matching = collection.bucket(key).filter((row) => filter === undefined || filter.test(row.value));
      return order.terms.length === 0
        ? matching
        : matching.sort((left, right) => compareRows(left, right, order));
    });
  }
  const { hides } = call.tampering;
  return hides === undefined ? rows : rows.filter((row) => !hides(row));
}

function valuesOf<T>(row: Row<T>, order: Order<T>): SortValue[] {
  return order.terms.map((term) => term.get(row.value));
}

function compareRows<T>(left: Row<T>, right: Row<T>, order: Order<T>): number {
  return comparePosition({ seq: left.seq, values: valuesOf(left, order) }, right, order);
}

function comparePosition<T>(left: Position, right: Row<T>, order: Order<T>): number {
  for (const [index, term] of order.terms.entries()) {
    const found = compareValues(left.values[index] ?? null, term.get(right.value));
    if (found !== 0) return found * term.sign;
  }
  return left.seq - right.seq;
}

function compareValues(left: SortValue, right: SortValue): number {
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  return left < right ? -1 : 1;
}

/** Where the page after (or, inclusive, before) a position starts, by binary search. */
function indexAfter<T>(
  rows: readonly Row<T>[],
  position: Position,
  order: Order<T>,
  inclusive = false,
): number {
  if (position.seq === 0) return 0;
  if (order.terms.length === 0) return firstAfter(rows, inclusive ? position.seq - 1 : position.seq);
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    const found = row === undefined ? -1 : comparePosition(position, row, order);
    if (found < 0 || (inclusive && found === 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function encode<T>(list: string, order: Order<T>, row: Row<T>): string {
  return encodePosition(list, order, { seq: row.seq, values: valuesOf(row, order) });
}

function encodePosition<T>(list: string, order: Order<T>, position: Position): string {
  const content = JSON.stringify([list, order.name, position.seq, ...position.values]);
  return Buffer.from(content).toString("base64url");
}

/** Cursors are opaque: one that this list did not give out for this order is refused. */
function cursorOf<T>(call: Call, name: string, list: string, order: Order<T>): Position | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  const refused = invalid(`${name} is not a cursor of this list.`);
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(value, "base64url").toString());
  } catch {
    throw refused;
  }
  if (!isArray(content) || content[0] !== list || content[1] !== order.name) throw refused;
  const [, , seq, ...values] = content;
  if (typeof seq !== "number" || values.length > order.terms.length) throw refused;
  return { seq, values: values.filter((entry): entry is SortValue => !isArray(entry) && !isObject(entry)) };
}
