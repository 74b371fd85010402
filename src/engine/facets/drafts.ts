import type { DraftWithin, Found, MovedKind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ReadClient } from "../../service/index.ts";
import { onlyAdds, standsAlone } from "./standing.ts";

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

/** Looks for drafts of what goes with an object; undefined for a kind whose objects take nothing along that has any. */
export function draftWithinReader(
  kind: MovedKind | undefined,
): ((client: ReadClient, target: Found) => Promise<DraftWithin | undefined>) | undefined {
  return standsAlone(kind) ? kind.draftWithin : undefined;
}

/** Whose draft is in the way of a deletion, to end a sentence about the object. */
export function saysDraftWithin({ what, urn }: DraftWithin): string {
  return `its ${what} has an open draft of somebody else, which would be deleted with it (${urn})`;
}
