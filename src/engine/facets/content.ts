import type { LinkKind, MovedKind } from "../../kinds/kind.ts";
import type { Difference, DifferenceOptions } from "../../model/difference.ts";
import { only } from "../../model/fields.ts";
import { difference } from "../../model/difference.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isArray, own } from "../../model/json.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { strip } from "../../model/shape.ts";

/** What brings the target to the source: of relations only those that it lacks. */
export function differenceOf(
  kind: MovedKind,
  tree: JsonObject,
  target: JsonObject,
  options: DifferenceOptions,
): Difference {
  return kind.mode === "link" ? missing(kind, tree, target) : difference(tree, target, options);
}

function missing(kind: LinkKind, tree: JsonObject, target: JsonObject): Difference {
  const patch = kind.missing(tree, target);
  if (patch === undefined) return { patch: {}, undo: {}, fields: [] };
  return { patch, undo: {}, fields: Object.entries(patch).map(([name, to]) => ({ path: `/${name}`, to })) };
}

/**
 * What stands where no list shows anything: of what goes by the URN of something else, that it lies there and nothing
 * more.
 */
export function emptyAt(kind: MovedKind, tree: JsonObject): JsonObject {
  if (kind.mode !== "overlay" || kind.locate !== undefined) return {};
  return only(tree, kind.shape.fixed ?? []);
}

/** The object at the target before a change, stripped: relations that no list shows are those that are not there yet. */
export function beforeChange(
  kind: MovedKind,
  listed: JsonObject | undefined,
  tree: JsonObject,
  body: JsonObject,
): JsonObject {
  if (listed !== undefined) return listed;
  if (kind.mode !== "link") return emptyAt(kind, tree);
  return Object.fromEntries(Object.entries(tree).filter(([field]) => !Object.hasOwn(body, field)));
}

/** The same after it: relations are added to those that are there. */
export function afterChange(kind: MovedKind, before: JsonObject, body: JsonObject): JsonObject {
  if (kind.mode !== "link") return strip(mergePatch(before, body) as JsonObject, kind.shape);
  const fields = Object.entries(body).map(([name, value]): [string, Json] => {
    const there = own(before, name);
    return [name, isArray(there) && isArray(value) ? [...there, ...value] : value];
  });
  return { ...before, ...Object.fromEntries(fields) };
}
