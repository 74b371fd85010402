import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import type { EntityWanted, ReadClient } from "../../service/index.ts";
import { isRefused } from "./answers.ts";
import { all, itemsOf } from "./found.ts";
import { shownEntities } from "./shown-entities.ts";

const entityType = "folder";

/**
 * Folders as entities, with what the list of folders does not show. That a list of this type shows what stands below a parent without
 * naming it is only inferred (as for queries, `sql-queries.ts`): where it shows nothing, each parent is asked for what is below it, and
 * a folder that is not shown there either is asked for itself. Where that is refused as well, nobody shows it.
 */
export async function* folderEntities(
  client: ReadClient,
  query: EntityWanted,
): AsyncGenerator<readonly JsonObject[]> {
  if (!(yield* shownEntities(client, entityType, query))) yield* below(client, query);
}

async function* below(client: ReadClient, query: EntityWanted): AsyncGenerator<readonly JsonObject[]> {
  const [asked, shown] = [new TextSet(), new TextSet()];
  let isShown = true;
  for await (const folders of itemsOf(client.catalog.folders({}))) {
    const parents = folders.flatMap((folder) => text(folder, "parentUrn") ?? []);
    const fresh = isShown ? parents.filter((parent) => asked.add(parent)) : [];
    const found = await each(fresh, async (parentUrn) =>
      all(client.catalog.entities({ entityType, parentUrn, ...query })),
    );
    for (const items of found) {
      for (const item of items) shown.add(text(item, "urn") ?? "");
      yield items;
    }
    // What one page of parents does not show, the next one will not.
    if (fresh.length > 0 && shown.size === 0) isShown = false;
    const left = folders.map((folder) => text(folder, "urn") ?? "").filter((urn) => !shown.has(urn));
    const alone = await each(left, async (urn) => client.catalog.entity(urn, query));
    if (left.length > 0 && alone.length === 0) return;
    yield alone;
  }
}

/** What is refused, or is not there any more, is left out; where the first is refused, the others are not asked for. */
async function each<T>(
  [first, ...others]: readonly string[],
  ask: (urn: string) => Promise<T | undefined>,
): Promise<readonly T[]> {
  if (first === undefined) return [];
  const probed = await ifTaken(async () => ask(first));
  if (probed === refused) return [];
  const rest = await Promise.all(others.map(async (urn) => ifTaken(async () => ask(urn))));
  return [probed, ...rest].flatMap((one) => (one === refused || one === undefined ? [] : [one]));
}

const refused = Symbol("refused");

async function ifTaken<T>(ask: () => Promise<T>): Promise<T | typeof refused> {
  try {
    return await ask();
  } catch (error) {
    if (!isRefused(error)) throw error;
    return refused;
  }
}
