import type { Json, JsonObject, MutableJson } from "./json.ts";
import { isObject, own, setOwn } from "./json.ts";

/** JSON Merge Patch (RFC 7386; document 1, "Partial update"): what a body becomes under a patch. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const base: JsonObject = isObject(target) ? target : {};
  const result: MutableJson = {};
  for (const [key, value] of Object.entries(base)) {
    if (own(patch, key) !== null) setOwn(result, key, value);
  }
  for (const [key, value] of Object.entries(patch)) {
    if (value !== null) setOwn(result, key, mergePatch(own(base, key), value));
  }
  return result;
}
