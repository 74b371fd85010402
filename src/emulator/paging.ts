import type { Urn } from "../model/urn.ts";
import type { Collection, Row } from "./collection.ts";
import { cursorOf, encode, encodePosition } from "./cursors.ts";
import { type Answer, type Call, ok } from "./http/call.ts";
import type { Json, JsonObject } from "./json.ts";
import { compareRows, indexAfter, type Order, type SortValue } from "./order.ts";
import { invalid } from "./problem.ts";

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

export function pageSize(value: string | null): number {
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
