import type { JsonObject } from "../../model/json.ts";
import { child, text } from "../../model/json.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import type { Page, ReadClient } from "../../service/index.ts";
import { ServiceError } from "../../service/index.ts";
import { all } from "./found.ts";
import { isPlacedInFolder } from "./in-folder.ts";

/** The name of SQL items in a creation, and in the metadata model. */
export const itemType = "dslQueryCatalogItem";

/** By item; empty for a query that is there and not shown: no service takes an empty one. */
type Queries = ReadonlyMap<string, string>;

/**
 * SQL items and their queries, in pieces. Whether lists of types show what stands below a parent without naming it is
 * only inferred: where they do not, every folder is asked.
 */
export async function* queriesOf(client: ReadClient): AsyncGenerator<Queries> {
  let isEmpty = true;
  let isShown = true;
  const shown = new TextSet();
  try {
    for await (const queries of listQueries(client)) {
      if (queries.size === 0) continue;
      isEmpty = false;
      for (const item of queries.keys()) shown.add(item);
      yield queries;
    }
  } catch (error) {
    // Refused without a parent: nothing was shown yet, and the other way is open.
    if (!isEmpty || !isRefusal(error)) throw error;
    isShown = false;
  }
  if (!isEmpty) yield await unlisted(client, shown);
  if (!isEmpty || (isShown && (await hasNone(client)))) return;
  yield* oneByOne(client);
}

/** The query is the `dslQuery` child of its item: one listing gives all of them. */
async function* listQueries(client: ReadClient): AsyncGenerator<Queries> {
  for await (const page of client.catalog.entities({ entityType: "dslQuery", properties: ["query"] })) {
    yield queriesIn(page.items);
  }
}

function queriesIn(entities: readonly JsonObject[]): Queries {
  return new Map(
    entities.flatMap((entity): [string, string][] => {
      const item = text(entity, "parentUrn");
      return item === undefined ? [] : [[item, text(child(entity, "properties") ?? {}, "query") ?? ""]];
    }),
  );
}

/**
 * The lists of two types show nothing, and what stands below a parent is shown without naming it: folders are. Nor is
 * there an item without an origin that stands in a folder. That there is none is known then at the cost of three pages.
 */
async function hasNone(client: ReadClient): Promise<boolean> {
  try {
    if ((await first(client.catalog.entities({ entityType: itemType }))) !== undefined) return false;
    const folder = await first(client.catalog.entities({ entityType: "folder" }));
    if (text(folder ?? {}, "parentUrn") === undefined) return false;
    for await (const _item of withoutOrigin(client)) return false;
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

async function first(pages: AsyncIterable<Page>): Promise<JsonObject | undefined> {
  for await (const { items } of pages) if (items.length > 0) return items[0];
  return undefined;
}

/** SQL items as far as they can be told by that: `originPath` is a "path in the source system", where they have no place. */
async function* withoutOrigin(client: ReadClient): AsyncGenerator<string> {
  for await (const page of client.catalog.filterCatalogItems({ originPath: { isNull: true } }))
    for (const item of page.items) if (isPlacedInFolder(item)) yield text(item, "urn") ?? "";
}

/** That the listing works without a parent is inferred: where it shows nothing, the items in folders are asked one by one. */
async function* oneByOne(client: ReadClient): AsyncGenerator<Queries> {
  for await (const folders of client.catalog.folders({})) {
    const items = await Promise.all(
      folders.items.map(async (folder) =>
        all(client.catalog.catalogItems({ parentUrn: text(folder, "urn") ?? "" })),
      ),
    );
    yield await eachOf(
      client,
      items.flat().map((item) => text(item, "urn") ?? ""),
    );
  }
}

export async function queryOf(client: ReadClient, item: string): Promise<Queries> {
  return queriesIn(
    await all(client.catalog.entities({ entityType: "dslQuery", parentUrn: item, properties: ["query"] })),
  );
}

/** Items are there whether their queries are shown or not. */
async function eachOf(client: ReadClient, items: readonly string[]): Promise<Queries> {
  const found = await Promise.all(items.map(async (item) => (await queryOf(client, item)).get(item) ?? ""));
  return new Map(items.map((item, at) => [item, found[at] ?? ""]));
}

/** Items whose queries the list of all queries did not show, each asked for by itself: they are none the less. */
async function unlisted(client: ReadClient, shown: TextSet): Promise<Queries> {
  const items: string[] = [];
  const take = (urn: string): void => void (urn !== "" && !shown.has(urn) && items.push(urn));
  try {
    for await (const page of client.catalog.entities({ entityType: itemType }))
      for (const entity of page.items) take(text(entity, "urn") ?? "");
  } catch (error) {
    // That items can be listed by their type is inferred as well.
    if (!isRefusal(error)) throw error;
    for await (const urn of withoutOrigin(client)) take(urn);
  }
  return eachOf(client, items);
}

function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && [400, 404, 405, 501].includes(error.status ?? 0);
}
