import { z } from "zod";
import type { ExactNumber, Json, JsonObject } from "../model/json.ts";
import { child, fromEntries, isArray, isExact, own, text } from "../model/json.ts";
import type { Path, Query } from "./address.ts";
import { at, Unsendable } from "./address.ts";
import type { Reader } from "./call.ts";
import { ServiceError } from "./error.ts";
import type { MasterEntity, RecordAddress, RecordEntity } from "./master-data-address.ts";
import {
  attributePath,
  below,
  entityPath,
  notSent,
  recordPath,
  unsearchable,
} from "./master-data-address.ts";
import type { Identified, IdentifyInput } from "./master-data-identify.ts";
import { toIdentified } from "./master-data-identify.ts";
import type { ListedPage, RecordPage, RecordQuery, RecordRange } from "./master-data-lists.ts";
import { seamedPages } from "./master-data-seams.ts";
import { listQuery, onePage, recordPages } from "./master-data-lists.ts";
import type { EntityMetadata } from "./master-data-metadata.ts";
import { toMetadata, toNames } from "./master-data-metadata.ts";
import type { HistoricalRecord, StoredRecord } from "./master-data-records.ts";
import { check, digits, toHistory, toList, toRecord } from "./master-data-records.ts";
import { unlessNotFound } from "./requests.ts";
import { anyObject, directory, WrongShape } from "./shapes.ts";

/** What the server says of itself (document 3, "Directory"). */
export interface Directory {
  readonly name: string;
  readonly version: string;
  /** It takes writes (`rwmode` RW). */
  readonly isWritable: boolean;
  /** Names of what it offers; the older variant of the directory lacks persistence, purge and operationPlan. */
  readonly offers: readonly string[];
}

/** A value that somebody put over the one of the source; what is given is the one below (document 3, "Override list"). */
export interface Override {
  readonly attribute: string;
  readonly original: Json;
}

/** Attribute and the values any of which it may have; several attributes combine. */
export type Wanted = Readonly<Record<string, readonly (string | number | boolean | ExactNumber)[]>>;

/** ISO 8601, `from` and `to` each alone or both; what `at` means beside them, or alone, is not documented. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
  readonly at?: string;
}

/**
 * Document 3, base `/api/rest`, which cannot be configured. All throw ServiceError. Nothing here changes anything;
 * search and identify are POST all the same.
 */
export interface MasterDataReads {
  directory(): Promise<Directory>;
  /** Entities of the instance layer; undefined when the answer is in no form that is known ("not shown"). */
  entities(): Promise<readonly string[] | undefined>;
  views(): Promise<readonly string[] | undefined>;
  entitiesOf(view: string): Promise<readonly string[] | undefined>;
  /** Undefined where the server has no metadata of the entity to show, or no such entity (404). */
  metadata(of: RecordEntity): Promise<EntityMetadata | undefined>;
  /**
   * One record by id, or by origin and source id (of an instance, in either layer). Undefined when there is none: the
   * server answers 400 to that as to other things, so the entity is asked for too, once.
   */
  record(of: RecordEntity, address: RecordAddress): Promise<StoredRecord | undefined>;
  /** All pages from an offset on. */
  records(of: RecordEntity, query?: RecordQuery, range?: RecordRange): AsyncIterable<ListedPage>;
  /** One page; empty at the end. */
  page(of: RecordEntity, query: RecordQuery, range: RecordRange): Promise<RecordPage>;
  /** Records with these values; `*` is a value like any other here. A comma cannot be asked for. */
  search(of: RecordEntity, wanted: Wanted, range?: RecordRange): AsyncIterable<ListedPage>;
  /** The master that a record would join, by which rule, and proposals. Undefined when nothing matches. */
  identify(of: MasterEntity, input: IdentifyInput): Promise<Identified | undefined>;
  /** Historised entities; undefined where history is not configured, or in no form that is known. */
  historised(): Promise<readonly string[] | undefined>;
  /** Columns that the history of an entity keeps; undefined where there is none (404). */
  historyMetadata(of: RecordEntity): Promise<EntityMetadata | undefined>;
  /** Newest first; undefined where there is no history (404). */
  history(
    of: RecordEntity,
    address: RecordAddress,
    period?: Period,
  ): Promise<readonly HistoricalRecord[] | undefined>;
  /** One request a record; of master records they can be read only. With an attribute: of that one. */
  overrides(of: RecordEntity, id: string, attribute?: string): Promise<readonly Override[]>;
}

const overrideList = z.looseObject({
  overrides: z.array(z.looseObject({ attributeName: z.string().min(1) })),
});

export function masterDataReads(reader: Reader): MasterDataReads {
  const { environment } = reader;
  const get = (path: Path, query: Query = {}): Promise<Json | undefined> =>
    reader.read({ method: "GET", at: path, query }, ({ body }) => body);
  const object = (path: Path): Promise<JsonObject | undefined> =>
    unlessNotFound(reader.read({ method: "GET", at: path }, ({ body }) => anyObject(body)));
  const exists = onceFor((of: RecordEntity) => onePage(reader, { at: entityPath(of) }, { count: 1 }));

  const list = (of: RecordEntity, query: RecordQuery) => {
    const path = entityPath(of);
    return { at: path, query: sendable(environment, "GET", path, () => listQuery(query)) };
  };

  return {
    directory: async () => {
      const body = await reader.read({ method: "GET", at: at`/api/rest/` }, (answer) =>
        directory(answer.body),
      );
      return {
        name: text(body, "name") ?? "",
        version: text(body, "version") ?? "",
        isWritable: text(body, "rwmode") === "RW",
        offers: Object.keys(child(body, "uris") ?? {}),
      };
    },
    entities: async () => toNames(await get(at`/api/rest/instance`)),
    views: async () => toNames(await get(at`/api/rest/master`)),
    entitiesOf: async (view) => toNames(await get(at`/api/rest/master/${view}`)),
    metadata: async (of) => metadataOf(await object(below(entityPath(of), at`/metadata`))),
    record: async (of, address) => {
      try {
        const path = recordPath(of, address);
        return await reader.read({ method: "GET", at: path }, ({ body }) =>
          asAsked(of, address, toRecord(body)),
        );
      } catch (error) {
        if (!mayBeMissing(error)) throw error;
        // Of all that 400 stands for, a view or an entity that does not exist is what is left to rule out.
        if (await exists(of).then(() => true, isRefused)) return undefined;
        throw error;
      }
    },
    records: (of, query = {}, range = {}) => lazily(() => pagesOf(range)(reader, list(of, query), range)),
    page: async (of, query, range) => await onePage(reader, list(of, query), range),
    search: (of, wanted, range = {}) =>
      lazily(() => {
        const path = below(entityPath(of), at`/search`);
        const body = sendable(environment, "POST", path, () => searchBody(wanted));
        return pagesOf(range)(reader, { at: path, body }, range);
      }),
    identify: async (of, { sourceSystem, record }) => {
      const body = fromEntries([
        ["sourceSystem", sourceSystem],
        ["record", { ...record }],
      ]);
      const path = below(entityPath(of), at`/identify`);
      return await reader.read({ method: "POST", at: path, body }, (answer) => toIdentified(answer.body));
    },
    historised: async () => {
      const found = await unlessNotFound(get(at`/api/rest/history`));
      return found === undefined ? undefined : toNames(found);
    },
    historyMetadata: async (of) => metadataOf(await object(below(entityPath(of), at`/history/metadata`))),
    history: async (of, address, { from, to, at: moment } = {}) => {
      const path = below(recordPath(of, address), at`/history`);
      const query = { from, to, at: moment };
      return await unlessNotFound(
        reader.read({ method: "GET", at: path, query }, ({ body }) => toList(body).map(toHistory)),
      );
    },
    overrides: async (of, id, attribute) => {
      const all = below(recordPath(of, { id }), at`/override`);
      const path = attribute === undefined ? all : attributePath(all, attribute);
      return await reader.read({ method: "GET", at: path }, ({ body }) => toOverrides(body, id));
    },
  };
}

function pagesOf({ isSeamed }: RecordRange): typeof recordPages {
  return isSeamed === true ? seamedPages : recordPages;
}

function metadataOf(body: JsonObject | undefined): EntityMetadata | undefined {
  return body === undefined ? undefined : toMetadata(body);
}

const another = "it is about another record than was asked for";

/** Of a master that is asked for by the key of an instance nothing says which one it has to be. Throws WrongShape. */
function asAsked(of: RecordEntity, address: RecordAddress, found: StoredRecord): StoredRecord {
  const isOther =
    "id" in address
      ? BigInt(found.id) !== BigInt(address.id)
      : of.layer === "instance" &&
        [
          [found.origin, address.origin],
          [found.sourceId, address.sourceId],
        ].some(([said, asked]) => said !== undefined && said !== asked);
  if (isOther) throw new WrongShape(another);
  return found;
}

/** Throws WrongShape. */
function toOverrides(answer: Json | undefined, id: string): readonly Override[] {
  const body = check(overrideList, answer);
  const said = digits(own(body, "recordId"));
  // Those of another record would be laid over this one, or taken away from it.
  if (said !== undefined && BigInt(said) !== BigInt(id)) throw new WrongShape(another);
  const list = own(body, "overrides");
  return (isArray(list) ? (list as readonly JsonObject[]) : []).map((entry) => ({
    attribute: text(entry, "attributeName") ?? "",
    original: own(entry, "value") ?? null,
  }));
}

function searchBody(wanted: Wanted): JsonObject {
  const entries = Object.entries(wanted);
  if (entries.length === 0) throw new Unsendable("nothing is asked for: everything would be found");
  for (const [name, values] of entries) {
    const why = unsearchable(
      name,
      values.map((value) => (isExact(value) ? value.rawJSON : String(value))),
    );
    if (why !== undefined) throw new Unsendable(why);
  }
  return fromEntries(entries.map(([name, values]) => [name, [...values]] as const));
}

/** A problem with what is asked for is told when it is asked for, as one of the path is. */
function sendable<T>(environment: string, method: string, path: Path, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof Unsendable ? notSent(environment, method, path, error.message) : error;
  }
}

/** An error of making the list is thrown where it is read, like any other of it. */
async function* lazily<T>(open: () => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  yield* open();
}

/** A 400 in the server's own words: a proxy in between knows nothing of records. */
function mayBeMissing(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 400 && error.problem !== undefined;
}

/** Refused is an answer to whether the entity exists; anything else leaves it open, and is thrown. */
function isRefused(error: unknown): false {
  if (error instanceof ServiceError && ["refused", "not-found"].includes(error.kind)) return false;
  throw error;
}

/** Asks once for each entity; again after a failure. */
function onceFor(ask: (of: RecordEntity) => Promise<unknown>): (of: RecordEntity) => Promise<unknown> {
  const asked = new Map<string, Promise<unknown>>();
  return async (of) => {
    const key = entityPath(of).path;
    const known = asked.get(key) ?? ask(of);
    asked.set(key, known);
    try {
      return await known;
    } catch (error) {
      asked.delete(key);
      throw error;
    }
  };
}
