import type { Json, JsonObject, MutableJson } from "./json.ts";
import { firstFields, isArray, isObject, setOwn } from "./json.ts";

/** The same tree with other texts at its leaves, and other names where `name` gives them; itself where nothing is otherwise. */
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
  if (isArray(tree)) {
    const items = tree.map((item) => mapTexts(item, text, name));
    return items.every((item, index) => item === tree[index]) ? tree : items;
  }
  if (!isObject(tree)) return tree;
  const fields = Object.keys(tree);
  let copy: MutableJson | undefined;
  for (const [index, field] of fields.entries()) {
    const value = tree[field] ?? null;
    const [called, mapped] = [name(field), mapTexts(value, text, name)];
    if (copy === undefined && called === field && mapped === value) continue;
    copy ??= firstFields(tree, fields, index);
    setOwn(copy, called, mapped);
  }
  return copy ?? tree;
}
