import type { JsonObject } from "../model/json.ts";
import { child, own } from "../model/json.ts";
import type { Path, Query } from "./address.ts";
import { Unsendable } from "./address.ts";
import { Advance } from "./advance.ts";
import type { Call, Reader } from "./call.ts";
import { ServiceError } from "./error.ts";
import { filters, notSent } from "./master-data-address.ts";
import { digits, toList, toRecord } from "./master-data-records.ts";
import type { StoredRecord } from "./master-data-records.ts";

/** Relationships to load: a name or a path such as `addresses.instances`, with or without a filter in parentheses. */
type Preload = string;

/** What is asked of a list of records (document 3, "Query parameters on record lists"). */
export interface RecordQuery {
  /** All when absent. */
  readonly columns?: readonly string[];
  /** Column and direction; in what order a list comes otherwise is not documented. */
  readonly sort?: { readonly column: string; readonly direction?: "ASC" | "DESC" };
  /** By column, any of the values; `*` stands for anything. System columns too: `eng_active: ["true"]`. */
  readonly matching?: Readonly<Record<string, readonly string[]>>;
  /** The same for values that are meant as they are: one with a `*` is refused, nothing is sent. */
  readonly equal?: Readonly<Record<string, readonly string[]>>;
  readonly preload?: readonly Preload[];
}

export interface RecordRange {
  /** Of the first record; 0 when absent. A run that was killed goes on here. */
  readonly offset?: number;
  /** Records a request; 500 when absent. No maximum is documented. */
  readonly count?: number;
  /** It is found out where a change has shifted the pages, and nothing is left out (`master-data-seams.ts`). */
  readonly isSeamed?: true;
}

export interface RecordPage {
  readonly records: readonly StoredRecord[];
  /** Where the next page begins. */
  readonly next: number;
}

/** One of several. */
export interface ListedPage extends RecordPage {
  /** Where it begins: a list that is read from there brings it first. */
  readonly from: number;
}

export const usualCount = 500;

export interface Listing {
  readonly at: Path;
  readonly query?: Query;
  /** A search has its criteria in the body. */
  readonly body?: JsonObject;
}

/**
 * All pages of a list, by offset and count. It ends with a page that is empty, and nowhere else: one with fewer records
 * than were asked for may be all that a server gives at once, and what is left out would look absent. A list that goes
 * round throws ServiceError `cursor-repeated`. Lists are not isolated from changes: what is created or deleted while one
 * is read may shift its pages.
 */
export async function* recordPages(
  reader: Reader,
  listing: Listing,
  range: RecordRange,
): AsyncGenerator<ListedPage, void, undefined> {
  const advance = new Advance(idOf);
  const { count = usualCount } = range;
  let { offset = 0 } = range;
  let longest = 1;
  for (;;) {
    const page = await onePage(reader, listing, { offset, count });
    if (page.records.length === 0) return;
    longest = Math.max(longest, page.records.length);
    // The last page may hold again what a change has shifted onto it.
    const isLast = page.records.length < longest;
    const items = page.records.map(({ body }) => body);
    const problem = advance.problem({ items, next: isLast ? undefined : String(page.next) });
    if (problem !== undefined) throw goesRound(reader, listing, problem);
    yield { ...page, from: offset };
    offset = page.next;
  }
}

export async function onePage(
  reader: Reader,
  { at, query = {}, body }: Listing,
  { offset = 0, count = usualCount }: RecordRange,
): Promise<RecordPage> {
  const method = body === undefined ? "GET" : "POST";
  const isWhole = Number.isSafeInteger(offset) && Number.isSafeInteger(count);
  if (!isWhole || offset < 0 || count < 1)
    throw notSent(reader.environment, method, at, "offset and count are whole numbers, count at least 1");
  const call: Call = {
    method,
    at,
    query: { ...query, offset, count },
    ...(body === undefined ? {} : { body }),
  };
  const records = await reader.read(call, (answer) => toList(answer.body).map(toRecord));
  return { records, next: offset + records.length };
}

/** Throws Unsendable. */
export function listQuery({ columns, sort, matching = {}, equal = {}, preload }: RecordQuery): Query {
  if (columns?.length === 0) throw new Unsendable("no column is asked for: all would come");
  const query: Query = {
    columns,
    sort: sort === undefined ? undefined : [sortText(sort)],
    ...filters(matching, equal),
  };
  if (preload === undefined || preload.length === 0) return query;
  const odd = preload.find((path) => !isPreload(path));
  if (odd !== undefined) throw new Unsendable(`"${odd}" is no relationship to preload`);
  return { ...query, preload: preload.join(",") };
}

function sortText({ column, direction }: NonNullable<RecordQuery["sort"]>): string {
  if (column.includes(":")) throw new Unsendable(`the list cannot be sorted by "${column}"`);
  return direction === undefined ? column : `${column}:${direction}`;
}

/** A path, perhaps with one pair of parentheses at its end: a comma outside them would begin another one. */
function isPreload(path: string): boolean {
  return /^[^,()]+(?:\([^()]*\))?$/u.test(path);
}

export function idOf(item: JsonObject): string | undefined {
  return digits(own(child(item, "metadata") ?? {}, "id"));
}

export function goesRound({ environment }: Reader, { at, body }: Listing, why: string): ServiceError {
  const method = body === undefined ? "GET" : "POST";
  return new ServiceError(
    `${method} ${at.path} at "${environment}": the listing does not advance: ${why}. It cannot be completed.`,
    { kind: "cursor-repeated", arrived: "yes", method, path: at.path },
  );
}
