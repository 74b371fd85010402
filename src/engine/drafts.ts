import type { MovedKind } from "../kinds/kind.ts";
import { printOf } from "../model/canonical.ts";
import type { JsonObject } from "../model/json.ts";

/**
 * Whether an open draft is one that a patch opened and says one of these things: ours, or what is published, which is
 * nobody's work. A draft that the web application opened to delete or restore the object is never that, whatever it
 * says.
 */
export function isDraftOf(
  kind: MovedKind,
  draft: JsonObject,
  prints: readonly (string | undefined)[],
): boolean {
  return kind.isChangeDraft?.(draft) !== false && prints.includes(printOf(draft, kind.shape));
}
