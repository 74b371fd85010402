import type { Json, JsonObject } from "./json.ts";
import { child, isArray, isObject, own } from "./json.ts";
import { canonical, contents, stableText } from "./canonical.ts";
import type { Shape } from "./shape.ts";
import { isSubEntityMap, isTemporaryKey, sourceKeyOf } from "./sub-entity.ts";
import { mapTexts } from "./map-texts.ts";
import { isUuid } from "./urn.ts";
import { once } from "./once.ts";

/**
 * Finds, for sub-entities whose key at the target is not known (they stand under `new_` + source key), their twins
 * in the target's body: the same content first (identical ones in any order), then the same but for what it says of
 * other sub-entities, then the same label and the same in what the service cannot change of one (an instance of another
 * rule is another instance, whatever its name). Returns source key to target key. Both bodies are stripped; the source's is
 * translated.
 */
export function pairKeys(translated: JsonObject, target: JsonObject, shape: Shape): Record<string, string> {
  const search: Search = {
    source: once(() => contents(translated, shape)),
    target: once(() => contents(target, shape)),
    shape,
    pairs: {},
  };
  pairObjects(translated, target, search);
  return search.pairs;
}

type Contents = () => ReadonlyMap<string, string>;
interface Search {
  /** Contents by key; most bodies have nothing to pair and need none. */
  readonly source: Contents;
  readonly target: Contents;
  readonly shape: Shape;
  readonly pairs: Record<string, string>;
}

function pairObjects(source: JsonObject, target: JsonObject, search: Search): void {
  for (const [name, value] of Object.entries(source)) {
    const twin = own(target, name);
    if (isObject(value) && isObject(twin)) {
      if (isSubEntityMap(value) || isSubEntityMap(twin)) pairMaps(value, twin, search);
      else pairObjects(value, twin, search);
    } else if (isArray(value) && isArray(twin)) {
      for (const [index, item] of value.entries()) {
        const other = twin[index];
        if (isObject(item) && isObject(other)) pairObjects(item, other, search);
      }
    }
  }
}

function pairMaps(source: JsonObject, target: JsonObject, search: Search): void {
  const { shape, pairs } = search;
  const taken = new Set(Object.keys(source).filter((key) => !isTemporaryKey(key)));
  const open = new Set(Object.keys(source).filter(isTemporaryKey));
  type Describe = (item: Json, key: string, contents: Contents) => string | undefined;
  const pair = (describe: Describe, alone: boolean): void => {
    if (open.size === 0) return;
    const free = new Map<string, string[]>();
    for (const [key, item] of Object.entries(target)) {
      const description = taken.has(key) ? undefined : describe(item, key, search.target);
      if (description !== undefined) free.set(description, [...(free.get(description) ?? []), key]);
    }
    const wanting = new Map<string, string[]>();
    for (const key of open) {
      const description = describe(own(source, key) ?? null, key, search.source);
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

  pair((item, key, contents) => (isObject(item) ? contents().get(key) : undefined), false);
  pair((item) => (isObject(item) ? stableText(canonical(item, shape)) : undefined), false);
  const fixed = (shape.fixedInSubEntity ?? []).map((pattern) => pattern.slice(pattern.lastIndexOf("/") + 1));
  for (const label of shape.labels ?? []) {
    pair((item) => (isObject(item) ? labelText(item, label, fixed) : undefined), true);
  }
  for (const [key, item] of Object.entries(source)) {
    const twin = child(target, isTemporaryKey(key) ? (pairs[sourceKeyOf(key)] ?? "") : key);
    if (isObject(item) && twin !== undefined) pairObjects(item, twin, search);
  }
}

function labelText(item: JsonObject, label: string, fixed: readonly string[]): string | undefined {
  const value = own(item, label);
  return typeof value === "string"
    ? stableText([value, ...fixed.map((name) => own(item, name) ?? null)])
    : undefined;
}

/** Of paired keys those of which nobody has known yet that their part at the target is the twin of one at the source. */
export function newlyPaired(
  paired: Readonly<Record<string, string>>,
  ...known: readonly (Readonly<Record<string, string>> | undefined)[]
): Readonly<Record<string, string>> {
  if (Object.keys(paired).length === 0) return paired;
  const ours = new Set(known.flatMap((keys = {}) => Object.values(keys)));
  return Object.fromEntries(Object.entries(paired).filter(([, key]) => !ours.has(key)));
}

/** The same tree with the paired keys in place of the temporary ones, also where a field names a key. */
export function withKeys(tree: JsonObject, pairs: Readonly<Record<string, string>>): JsonObject {
  if (Object.keys(pairs).length === 0) return tree;
  // Any text may begin with new_, and what follows may be the name of something every object inherits.
  const replace = (key: string): string => {
    if (!isTemporaryKey(key)) return key;
    const sourceKey = sourceKeyOf(key);
    return Object.hasOwn(pairs, sourceKey) ? (pairs[sourceKey] ?? key) : key;
  };
  return mapTexts(tree, replace, replace);
}

/** A text in JSON with what stands before it: within a text each quotation mark is escaped, and so it begins and ends one of its own. */
const temporaryInJson = /[{[,:]"new_([0-9a-fA-F-]{36})"/g;

/** The JSON of `withKeys`, without a tree in between: what is only written down needs none. */
export function jsonWithKeys(tree: JsonObject, pairs: Readonly<Record<string, string>>): string {
  const entries = Object.entries(pairs);
  if (!entries.every((pair) => pair.every(isUuid))) return JSON.stringify(withKeys(tree, pairs));
  const json = JSON.stringify(tree);
  // Most of what is moved has no parts.
  if (entries.length === 0) return json;
  return json.replaceAll(temporaryInJson, (whole, key: string) =>
    Object.hasOwn(pairs, key) ? `${whole.charAt(0)}"${pairs[key] ?? key}"` : whole,
  );
}
