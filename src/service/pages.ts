import type { Json, JsonObject } from "../model/json.ts";
import { child, isArray, isObject, own, text } from "../model/json.ts";
import type { Path, Query } from "./address.ts";
import type { Call, Reader } from "./call.ts";
import { ServiceError } from "./error.ts";
import type { Shape } from "./shapes.ts";
import { listOfUrns } from "./shapes.ts";

/** The largest the documents allow: fewest requests. */
const pageSize = 100;

export interface Page {
  readonly items: readonly JsonObject[];
  /** `meta.total`, where the service states it. */
  readonly total?: number;
}

export interface Listing {
  readonly at: Path;
  readonly query?: Query;
  /** A listing by POST (catalog-items/filter) has its criteria in the body. */
  readonly body?: JsonObject;
  readonly shape?: Shape;
}

interface ReceivedPage extends Page {
  readonly next: string | undefined;
}

/**
 * All pages of a list, by cursor (document 1, Conventions). It ends only where the service says so. A cursor
 * that comes again or a page that brings nothing new throws ServiceError `cursor-repeated`: a list that ends
 * for any other reason would look complete (DESIGN, promise 4).
 */
export async function* pages(reader: Reader, listing: Listing): AsyncGenerator<Page, void, undefined> {
  const seen = new Set<string>();
  let after: string | undefined;
  let before: ReceivedPage | undefined;
  let received = 0;
  for (;;) {
    const page = await fetchPage(reader, listing, after);
    const problem = noProgress(page, before, seen);
    if (problem !== undefined) throw repeated(listing, problem);
    yield page.total === undefined ? { items: page.items } : { items: page.items, total: page.total };
    received += page.items.length;
    if (page.next === undefined) {
      if (page.total !== undefined && received < page.total) throw truncated(listing, received, page.total);
      return;
    }
    seen.add(page.next);
    after = page.next;
    before = page;
  }
}

async function fetchPage(reader: Reader, listing: Listing, after: string | undefined): Promise<ReceivedPage> {
  const call: Call = {
    method: listing.body === undefined ? "GET" : "POST",
    at: listing.at,
    query: { ...listing.query, size: pageSize, after },
    ...(listing.body === undefined ? {} : { body: listing.body }),
  };
  return await reader.read(call, ({ body }) => toPage((listing.shape ?? listOfUrns)(body)));
}

function toPage(body: JsonObject): ReceivedPage {
  const data = own(body, "data");
  const meta = child(body, "meta") ?? {};
  const total = own(meta, "total");
  return {
    items: isArray(data) ? data.filter((item: Json): item is JsonObject => isObject(item)) : [],
    ...(typeof total === "number" ? { total } : {}),
    next: text(meta, "next"),
  };
}

function noProgress(
  page: ReceivedPage,
  before: ReceivedPage | undefined,
  seen: ReadonlySet<string>,
): string | undefined {
  if (page.next !== undefined && seen.has(page.next)) return "its cursor was given before";
  if (page.next !== undefined && page.items.length === 0)
    return "a page is empty and yet there is a next one";
  if (before !== undefined && page.items.length > 0 && sameEnds(page.items, before.items)) {
    return "a page repeats the one before";
  }
  return undefined;
}

function sameEnds(page: readonly JsonObject[], before: readonly JsonObject[]): boolean {
  const id = (item: JsonObject | undefined): string | undefined =>
    item === undefined ? undefined : (text(item, "urn") ?? text(item, "name"));
  return id(page[0]) === id(before[0]) && id(page.at(-1)) === id(before.at(-1));
}

/** The service itself says that there is more: what is missing must not be taken for absent. */
function truncated(listing: Listing, received: number, total: number): ServiceError {
  const method = listing.body === undefined ? "GET" : "POST";
  const { path } = listing.at;
  return new ServiceError(
    `${method} ${path}: the listing ended after ${received} of ${total}. It is not complete.`,
    { kind: "unreadable", arrived: "yes", method, path },
  );
}

function repeated(listing: Listing, why: string): ServiceError {
  const method = listing.body === undefined ? "GET" : "POST";
  const { path } = listing.at;
  return new ServiceError(
    `${method} ${path}: the listing does not advance: ${why}. It cannot be completed.`,
    {
      kind: "cursor-repeated",
      arrived: "yes",
      method,
      path,
    },
  );
}
