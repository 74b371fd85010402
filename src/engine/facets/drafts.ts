import type { Found, MovedKind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ReadClient } from "../../service/index.ts";
import { onlyAdds } from "./standing.ts";

/** Looks for the open draft of an object; undefined for a kind whose objects have none. */
export function draftReader(
  kind: MovedKind | undefined,
): ((client: ReadClient, target: Found) => Promise<JsonObject | undefined>) | undefined {
  return kind === undefined || onlyAdds(kind) ? undefined : kind.draft;
}

/** Where there are none, the list shows where an object stands. */
export function hasDrafts(kind: MovedKind): boolean {
  return draftReader(kind) !== undefined;
}
