import type { JsonObject } from "../../model/json.ts";
import type { EntityWanted, ReadClient } from "../../service/index.ts";
import { isRefused } from "./answers.ts";
import { itemsOf } from "./found.ts";

/**
 * Entities of a type that no document says to be shown as entities: where the list is refused before it has shown any, nobody shows them.
 * Gives whether it has shown some.
 */
export async function* shownEntities(
  client: ReadClient,
  entityType: string,
  query: EntityWanted,
): AsyncGenerator<readonly JsonObject[], boolean> {
  let isShown = false;
  try {
    for await (const items of itemsOf(client.catalog.entities({ entityType, ...query }))) {
      isShown ||= items.length > 0;
      yield items;
    }
  } catch (error) {
    if (isShown || !isRefused(error)) throw error;
  }
  return isShown;
}
