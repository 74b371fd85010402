import { hash } from "node:crypto";
import { configure } from "safe-stable-stringify";
import type { Json, JsonObject, MutableJson } from "./json.ts";
import { isArray, isObject, setOwn } from "./json.ts";
import type { PatternNode, Shape } from "./shape.ts";
import { advance, patternsOf } from "./shape.ts";
import { isSubEntityMap } from "./sub-entity.ts";

const stringify = configure({ bigint: false, circularValue: Error });

/** The same text for the same value, whatever the order of its keys (RFC 8785 for the values that occur here). */
export function stableText(value: Json): string {
  return stringify(value) ?? "null";
}

export function digest(value: string): string {
  return hash("sha256", value, "hex").slice(0, 32);
}

/**
 * The canonical form of a stripped body: what two objects must share to be the same configuration. Assigned keys
 * vanish (a map of sub-entities becomes a sorted list of their contents, and a field that names a key becomes the
 * content it names); sets are sorted. One object read back after its creation has the form that was sent.
 */
export function canonical(stripped: JsonObject, shape: Shape): Json {
  return new Canonicalizer(stripped).value(stripped, [patternsOf(shape.sets ?? [])]);
}

/** 128 bits of SHA-256 over the canonical form, in hexadecimal. */
export function fingerprint(stripped: JsonObject, shape: Shape): string {
  return digest(stableText(canonical(stripped, shape)));
}

class Canonicalizer {
  readonly #subEntities = new Map<string, Json>();
  readonly #naming = new Map<string, string>();

  constructor(root: JsonObject) {
    this.#collect(root);
  }

  #collect(value: Json): void {
    if (isArray(value)) {
      for (const item of value) this.#collect(item);
    } else if (isObject(value)) {
      const isMap = isSubEntityMap(value);
      for (const [key, field] of Object.entries(value)) {
        if (isMap) this.#subEntities.set(key, field);
        this.#collect(field);
      }
    }
  }

  value(value: Json, nodes: readonly PatternNode[]): Json {
    if (typeof value === "string") return this.#subEntities.size === 0 ? value : this.#text(value);
    if (isArray(value)) {
      const items = value.map((item) => this.value(item, advance(nodes, "*")));
      const isSet = nodes.some((node) => node.ends) || items.every((item) => typeof item !== "object");
      return isSet ? sorted(items) : items;
    }
    if (!isObject(value)) return value;
    if (isSubEntityMap(value)) {
      return { "~": sorted(Object.values(value).map((item) => this.value(item, advance(nodes, "*")))) };
    }
    const result: MutableJson = {};
    for (const [name, field] of Object.entries(value))
      setOwn(result, name, this.value(field, advance(nodes, name)));
    return result;
  }

  /** A text that names a sub-entity of this object stands for that sub-entity's content. */
  #text(value: string): string {
    const named = this.#subEntities.get(value);
    if (named === undefined) return value;
    const known = this.#naming.get(value);
    if (known !== undefined) return known;
    this.#naming.set(value, "~cycle");
    const name = `~${digest(stableText(this.value(named, [])))}`;
    this.#naming.set(value, name);
    return name;
  }
}

function sorted(items: readonly Json[]): readonly Json[] {
  return items
    .map((item) => ({ item, order: stableText(item) }))
    .sort((left, right) => (left.order < right.order ? -1 : left.order > right.order ? 1 : 0))
    .map(({ item }) => item);
}
