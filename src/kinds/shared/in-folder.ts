import type { JsonObject } from "../../model/json.ts";
import { isArray, own } from "../../model/json.ts";

/** "Filled for items placed in folders" (document 1, "Catalog item"): SQL items, which are a kind of their own. */
export function isPlacedInFolder(item: JsonObject): boolean {
  const folders = own(item, "folders");
  return isArray(folders) && folders.length > 0;
}
