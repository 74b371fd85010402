import type { Json, JsonObject } from "./json.ts";
import { child, isArray, isObject, own } from "./json.ts";
import { canonical, stableText } from "./canonical.ts";
import type { Shape } from "./shape.ts";
import { isSubEntityMap, isTemporaryKey, sourceKeyOf } from "./sub-entity.ts";

/**
 * Finds, for sub-entities whose key at the target is not known (they stand under `new_` + source key), their twins
 * in the target's body: the same content first (identical ones in any order), then the same label. Returns source
 * key to target key. Both bodies are stripped; the source's is translated.
 */
export function pairKeys(translated: JsonObject, target: JsonObject, shape: Shape): Record<string, string> {
  const pairs: Record<string, string> = {};
  pairObjects(translated, target, shape, pairs);
  return pairs;
}

function pairObjects(
  source: JsonObject,
  target: JsonObject,
  shape: Shape,
  pairs: Record<string, string>,
): void {
  for (const [name, value] of Object.entries(source)) {
    const twin = own(target, name);
    if (isObject(value) && isObject(twin)) {
      if (isSubEntityMap(value) || isSubEntityMap(twin)) pairMaps(value, twin, shape, pairs);
      else pairObjects(value, twin, shape, pairs);
    } else if (isArray(value) && isArray(twin)) {
      for (const [index, item] of value.entries()) {
        const other = twin[index];
        if (isObject(item) && isObject(other)) pairObjects(item, other, shape, pairs);
      }
    }
  }
}

function pairMaps(source: JsonObject, target: JsonObject, shape: Shape, pairs: Record<string, string>): void {
  const taken = new Set(Object.keys(source).filter((key) => !isTemporaryKey(key)));
  const open = new Set(Object.keys(source).filter(isTemporaryKey));
  const pair = (describe: (item: Json) => string | undefined, alone: boolean): void => {
    const free = new Map<string, string[]>();
    for (const [key, item] of Object.entries(target)) {
      const description = taken.has(key) ? undefined : describe(item);
      if (description !== undefined) free.set(description, [...(free.get(description) ?? []), key]);
    }
    const wanting = new Map<string, string[]>();
    for (const key of open) {
      const description = describe(source[key] ?? null);
      if (description !== undefined) wanting.set(description, [...(wanting.get(description) ?? []), key]);
    }
    for (const [description, keys] of wanting) {
      const found = free.get(description) ?? [];
      if (alone && (keys.length !== 1 || found.length !== 1)) continue;
      for (const [index, key] of keys.entries()) {
        const twin = found[index];
        if (twin === undefined) break;
        pairs[sourceKeyOf(key)] = twin;
        taken.add(twin);
        open.delete(key);
      }
    }
  };

  pair((item) => (isObject(item) ? stableText(canonical(item, shape)) : undefined), false);
  for (const label of shape.labels ?? []) {
    pair((item) => (isObject(item) ? labelText(item, label) : undefined), true);
  }
  for (const [key, item] of Object.entries(source)) {
    const twin = child(target, isTemporaryKey(key) ? (pairs[sourceKeyOf(key)] ?? "") : key);
    if (isObject(item) && twin !== undefined) pairObjects(item, twin, shape, pairs);
  }
}

function labelText(item: JsonObject, label: string): string | undefined {
  const value = own(item, label);
  return typeof value === "string" ? value : undefined;
}

/** The same tree with the paired keys in place of the temporary ones, also where a field names a key. */
export function withKeys(tree: JsonObject, pairs: Readonly<Record<string, string>>): JsonObject {
  if (Object.keys(pairs).length === 0) return tree;
  const replace = (key: string): string => (isTemporaryKey(key) ? (pairs[sourceKeyOf(key)] ?? key) : key);
  return renameKeys(tree, replace) as JsonObject;
}

function renameKeys(value: Json, replace: (key: string) => string): Json {
  if (typeof value === "string") return replace(value);
  if (isArray(value)) return value.map((item) => renameKeys(item, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [replace(key), renameKeys(item, replace)]),
  );
}
