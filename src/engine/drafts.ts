import type { MovedKind } from "../kinds/kind.ts";
import { printOf } from "../model/canonical.ts";
import type { JsonObject } from "../model/json.ts";

/**
 * Whether somebody has published something else since our draft was opened over what was published then (`over`). Ours
 * does not hold it: to publish ours would take theirs back.
 */
export function isPublishedPast(
  kind: MovedKind,
  published: JsonObject,
  { over, ours }: { readonly over: string | undefined; readonly ours: string | undefined },
): boolean {
  if (over === undefined) return false;
  const print = printOf(published, kind.shape);
  return print !== over && print !== ours;
}

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
