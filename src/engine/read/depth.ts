import type { Listed } from "../../kinds/kind.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, isArray, own } from "../../model/json.ts";
import { isDeeper, mostLevels } from "../../model/json-text.ts";

/**
 * An object that is nested so deep that it can neither be compared nor sent stays one object among others: it is kept
 * without its depth, and says so. What stands in the place of a deep field is like nothing that was ever applied, so
 * that nobody takes the object for unchanged.
 */
export function withinDepth<T extends Listed>(listed: T): T {
  const { body, meta } = listed;
  const deep = Object.keys(body).filter((field) => isDeeper(own(body, field), mostLevels - 1));
  if (deep.length === 0) return listed;
  const flat = Object.entries(body).map(([field, value]): [string, Json] => [
    field,
    deep.includes(field) ? `(nested deeper than ${mostLevels} levels)` : value,
  ]);
  return { ...listed, body: fromEntries(flat), meta: { ...meta, tooDeep: deep } };
}

/** The fields of a kept object that were too deep, for a message; undefined when it is whole. */
export function tooDeepIn(meta: JsonObject | undefined): string | undefined {
  const fields = meta === undefined ? undefined : own(meta, "tooDeep");
  if (!isArray(fields)) return undefined;
  const names = fields.filter((field) => typeof field === "string");
  return `nested deeper than ${mostLevels} levels (in ${names.join(", ")})`;
}
