import type { Json, JsonObject } from "./json.ts";
import { fromEntries, isArray, isObject } from "./json.ts";
import { isSubEntityMap } from "./sub-entity.ts";

/**
 * A stripped body of which something was left out, less what held nothing else: that is not set either, and an empty list or object
 * would be a word of its own. A part stays, as it does when nothing in it is set.
 */
export function withoutEmptied(body: JsonObject): JsonObject {
  const isMap = isSubEntityMap(body);
  return fromEntries(
    Object.entries(body).flatMap(([name, value]): [string, Json][] => {
      const left = leftOf(value);
      if (left !== undefined) return [[name, left]];
      return isMap ? [[name, {}]] : [];
    }),
  );
}

function leftOf(value: Json): Json | undefined {
  if (isArray(value)) {
    const items = value.map(leftOf).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (!isObject(value)) return value;
  const left = withoutEmptied(value);
  return Object.keys(left).length === 0 ? undefined : left;
}
