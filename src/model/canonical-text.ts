import type { Json, JsonObject } from "./json.ts";
import { isArray } from "./json.ts";
import type { PatternNode, Shape } from "./shape.ts";
import { advance, bare, patternsOf } from "./shape.ts";
import { isAssignedKey } from "./sub-entity.ts";
import { isUrnOf } from "./urn.ts";

const none: readonly PatternNode[] = [];

/**
 * The text of the canonical form of a body, in one pass and without any object in between: what nearly every body needs.
 * `asServed`: the body is as the service gives it, and is stripped on the way.
 *
 * Undefined where the long way has to be taken: a field that names a sub-entity of the same object stands for that one's
 * content, and a number that was kept as it was written has a form of its own.
 */
export function canonicalText(body: JsonObject, shape: Shape, asServed: boolean): string | undefined {
  const writer = new TextWriter(asServed);
  const owned = asServed ? [patternsOf(shape.serverOwned)] : none;
  const text = writer.object(body, owned, [patternsOf(shape.sets ?? [])], undefined) ?? "{}";
  return writer.isWhole ? text : undefined;
}

class TextWriter {
  readonly #strips: boolean;
  /** Keys of sub-entities, and values that look like one. */
  readonly #keys = new Set<string>();
  readonly #names: string[] = [];
  #isOdd = false;

  constructor(strips: boolean) {
    this.#strips = strips;
  }

  get isWhole(): boolean {
    return !this.#isOdd && !this.#names.some((name) => this.#keys.has(name));
  }

  /** `key` is that of the sub-entity that it is. */
  object(
    value: JsonObject,
    owned: readonly PatternNode[],
    sets: readonly PatternNode[],
    key: string | undefined,
  ): string | undefined {
    const names = Object.keys(value);
    let count = 0;
    let assigned = 0;
    for (const name of names) {
      if (name === "rawJSON") this.#isOdd = true;
      if (this.#strips && isLeftOut(name, value[name] ?? null, owned, key)) continue;
      if (isAssignedKey(name)) assigned += 1;
      names[count] = name;
      count += 1;
    }
    names.length = count;
    // What is left of it when empty fields are gone may be a map, or not.
    if (assigned > 0 && assigned < count) this.#isOdd = true;
    const text =
      assigned > 0 ? this.#map(value, names, owned, sets) : this.#fields(value, inOrder(names), owned, sets);
    // A sub-entity is there even when nothing in it is set.
    return text ?? (this.#strips && key === undefined ? undefined : "{}");
  }

  /** Undefined where none of them says anything. */
  #fields(
    value: JsonObject,
    names: readonly string[],
    owned: readonly PatternNode[],
    sets: readonly PatternNode[],
  ): string | undefined {
    let texts = "";
    for (const name of names) {
      const text = this.#value(value[name] ?? null, advance(owned, name), advance(sets, name), undefined);
      if (text !== undefined) texts += `${texts === "" ? "{" : ","}${quoted(name)}:${text}`;
    }
    return texts === "" ? undefined : `${texts}}`;
  }

  #map(
    value: JsonObject,
    keys: readonly string[],
    owned: readonly PatternNode[],
    sets: readonly PatternNode[],
  ): string | undefined {
    const texts: string[] = [];
    const setsHere = advance(sets, "*");
    for (const key of keys) {
      const text = this.#value(value[key] ?? null, advance(owned, key), setsHere, key);
      if (text === undefined) continue;
      this.#keys.add(key);
      texts.push(text);
    }
    return texts.length === 0 ? undefined : `{"~":[${inOrder(texts).join(",")}]}`;
  }

  #value(
    value: Json,
    owned: readonly PatternNode[],
    sets: readonly PatternNode[],
    key: string | undefined,
  ): string | undefined {
    if (typeof value === "string") {
      if (isAssignedKey(value)) this.#names.push(value);
      return JSON.stringify(value);
    }
    if (value === null) return this.#strips ? undefined : "null";
    if (typeof value !== "object") return JSON.stringify(value);
    return isArray(value)
      ? this.#array(value, owned, sets)
      : this.object(value as JsonObject, owned, sets, key);
  }

  #array(
    value: readonly Json[],
    owned: readonly PatternNode[],
    sets: readonly PatternNode[],
  ): string | undefined {
    if (value.length === 0) return this.#strips ? undefined : "[]";
    const [ownedHere, setsHere] = [advance(owned, "*"), advance(sets, "*")];
    let isSet = true;
    const texts: string[] = [];
    for (const item of value) {
      if (typeof item === "object") isSet = false;
      texts.push(this.#value(item, ownedHere, setsHere, undefined) ?? JSON.stringify(bare(item)));
    }
    if (isSet || sets.some((node) => node.ends)) inOrder(texts);
    return `[${texts.join(",")}]`;
  }
}

/** More than nearly every object has fields. */
const fewest = 24;

/** By UTF-16 code unit, in place. The sort of the platform copies each list, and most have a handful, or are in order. */
function inOrder(texts: string[]): string[] {
  if (texts.length > fewest) return texts.sort();
  for (let at = 1; at < texts.length; at += 1) {
    const one = texts[at] ?? "";
    let to = at;
    for (; to > 0 && (texts[to - 1] ?? "") > one; to -= 1) texts[to] = texts[to - 1] ?? "";
    texts[to] = one;
  }
  return texts;
}

/** Fields have the same few names in all bodies; names of properties are people's, and may be many. */
const mostQuoted = 1_000;
const quotedNames = new Map<string, string>();

function quoted(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (quotedNames.size < mostQuoted && name.length < 100) quotedNames.set(name, text);
  return text;
}

/** As `strip` leaves fields out, but for the empty ones. */
function isLeftOut(
  name: string,
  field: Json,
  owned: readonly PatternNode[],
  key: string | undefined,
): boolean {
  if (owned.length > 0 && advance(owned, name).some((node) => node.ends)) return true;
  return (
    key !== undefined && (name === "correlationId" || (typeof field === "string" && isUrnOf(field, key)))
  );
}
