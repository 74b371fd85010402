import type { Json, JsonObject, MutableJson } from "./json.ts";
import { isArray, isObject, setOwn } from "./json.ts";

/** The same tree with other texts at its leaves, and other names where `name` gives them. */
export function mapTexts(
  tree: JsonObject,
  text: (text: string) => string,
  name?: (name: string) => string,
): JsonObject;
export function mapTexts(tree: Json, text: (text: string) => string, name?: (name: string) => string): Json;
export function mapTexts(
  tree: Json,
  text: (text: string) => string,
  name: (name: string) => string = (same) => same,
): Json {
  if (typeof tree === "string") return text(tree);
  if (isArray(tree)) return tree.map((item) => mapTexts(item, text, name));
  if (!isObject(tree)) return tree;
  const result: MutableJson = {};
  for (const [field, value] of Object.entries(tree)) setOwn(result, name(field), mapTexts(value, text, name));
  return result;
}
