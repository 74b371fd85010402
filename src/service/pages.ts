import type { Json, JsonObject } from "../model/json.ts";
import { child, isArray, isObject, own, plainNumber, text } from "../model/json.ts";
import type { Path, Query } from "./address.ts";
import { Advance } from "./advance.ts";
import type { ReceivedPage } from "./advance.ts";
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
  /** Where it begins: whoever reads the list from there gets this page first. */
  readonly place: Place;
}

/** A page of a list. */
export interface Place {
  /** Undefined for the first page. */
  readonly after?: string | undefined;
  /** Objects that came before it. */
  readonly before: number;
}

export interface Listing {
  readonly at: Path;
  readonly query?: Query;
  /** A listing by POST (catalog-items/filter) has its criteria in the body. */
  readonly body?: JsonObject;
  readonly shape?: Shape;
  /** It will be read to its end: the next page is asked for as soon as its cursor is known. */
  readonly ahead?: boolean;
  /** What it cannot be without: a list that says it has nothing is not believed. */
  readonly neverEmpty?: string;
  /** The first page that is read; the list's own first one when absent. */
  readonly from?: Place | undefined;
}

/**
 * All pages of a list, by cursor (document 1, Conventions). It ends only where the service says so. A list that does
 * not advance, or that never ends, throws ServiceError `cursor-repeated`: one that ended for any other reason would
 * look complete (README, promise 4). Of the objects that came nothing is kept but what tells that they come again.
 */
export async function* pages(reader: Reader, listing: Listing): AsyncGenerator<Page, void, undefined> {
  const advance = new Advance();
  const { before: skipped, after: first } = listing.from ?? { before: 0 };
  let after = first;
  let before = skipped;
  let stated: number | undefined;
  let next: Promise<ReceivedPage> | undefined;
  for (;;) {
    const page = await (next ?? fetchPage(reader, listing, after));
    next = undefined;
    const problem = advance.problem(page);
    if (problem !== undefined) throw repeated(reader, listing, problem);
    if (listing.ahead === true && page.next !== undefined) {
      next = fetchPage(reader, listing, page.next);
      // Whoever awaits it hears of its failure.
      next.catch(() => undefined);
      // It leaves before this page is worked through: a list is a chain of answers, and what takes longest.
      await left();
    }
    const received = skipped + advance.received;
    reader.listed?.(listing.at.path, received, page.total);
    const { items, total } = page;
    // A last page that says nothing of it takes nothing back of what the ones before it have said.
    stated = total ?? stated;
    yield { items, place: { after, before }, ...(total === undefined ? {} : { total }) };
    if (page.next === undefined) {
      if (stated !== undefined && received < stated) throw truncated(reader, listing, received, stated);
      if (listing.neverEmpty !== undefined && received === 0)
        throw empty(reader, listing, listing.neverEmpty);
      return;
    }
    after = page.next;
    before = received;
  }
}

/** What was asked for is on its way: a connection that has answered takes the next request a turn later. */
async function left(): Promise<void> {
  for (let turns = 0; turns < 2; turns += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
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
  const total = plainNumber(own(meta, "total"));
  return {
    items: isArray(data) ? data.filter((item: Json): item is JsonObject => isObject(item)) : [],
    ...(typeof total === "number" ? { total } : {}),
    next: text(meta, "next"),
  };
}

/** The service itself says that there is more: what is missing must not be taken for absent. */
function truncated({ environment }: Reader, listing: Listing, received: number, total: number): ServiceError {
  const method = listing.body === undefined ? "GET" : "POST";
  const { path } = listing.at;
  return new ServiceError(
    `${method} ${path} at "${environment}": the listing ended after ${received} of ${total}. It is not complete.`,
    { kind: "unreadable", arrived: "yes", method, path },
  );
}

/** Whoever takes it for true takes all that it would have named for absent. */
function empty({ environment }: Reader, listing: Listing, why: string): ServiceError {
  const method = listing.body === undefined ? "GET" : "POST";
  const { path } = listing.at;
  return new ServiceError(
    `${method} ${path} at "${environment}": the list is empty, which cannot be true: ${why}. Nothing follows from it.`,
    { kind: "unreadable", arrived: "yes", method, path },
  );
}

function repeated({ environment }: Reader, listing: Listing, why: string): ServiceError {
  const method = listing.body === undefined ? "GET" : "POST";
  const { path } = listing.at;
  return new ServiceError(
    `${method} ${path} at "${environment}": the listing does not advance: ${why}. It cannot be completed.`,
    {
      kind: "cursor-repeated",
      arrived: "yes",
      method,
      path,
    },
  );
}
