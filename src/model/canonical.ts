import { hash } from "node:crypto";
import { configure } from "safe-stable-stringify";
import { canonicalText } from "./canonical-text.ts";
import { canonicalNumber } from "./exact-number.ts";
import { withInstants } from "./instant.ts";
import type { Json, JsonObject, MutableJson } from "./json.ts";
import { isArray, isExact, isObject, isScalar, setOwn } from "./json.ts";
import type { PatternNode, Shape } from "./shape.ts";
import { advance, patternsOf, strip } from "./shape.ts";
import { isSubEntityMap } from "./sub-entity.ts";

const stringify = configure({ bigint: false, circularValue: Error });

/**
 * The same text for the same value, whatever the order of its keys (RFC 8785 for the values that occur here) and
 * however its numbers are written.
 */
export function stableText(value: Json): string {
  // Of a scalar there is one way to write it.
  if (typeof value !== "object") return JSON.stringify(value);
  const text = stringify(value) ?? "null";
  // The library takes a number that was kept as it was written for an object. Hardly any body has one.
  return text.includes('{"rawJSON":') ? exactText(value) : text;
}

function exactText(value: Json): string {
  if (isExact(value)) return canonicalNumber(value);
  if (isArray(value)) return `[${value.map(exactText).join(",")}]`;
  if (!isObject(value)) return stringify(value) ?? "null";
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${exactText(value[name] ?? null)}`).join(",")}}`;
}

const half = Buffer.alloc(32);

/** The first half of the hexadecimal digest, as a text of its own: a slice would keep the other half for as long. */
export function digest(value: string): string {
  half.write(hash("sha256", value, "hex"), "latin1");
  return half.toString("latin1");
}

/**
 * The canonical form of a stripped body: what two objects must share to be the same configuration. Assigned keys
 * vanish (a map of sub-entities becomes a sorted list of their contents, and a field that names a key becomes the
 * content it names); sets are sorted. One object read back after its creation has the form that was sent.
 */
export function canonical(stripped: JsonObject, shape: Shape): Json {
  const nodes = [patternsOf(shape.sets ?? [])];
  return new Canonicalizer(stripped, nodes).value(stripped, nodes);
}

/** The canonical content of every sub-entity of a stripped body, by key. */
export function contents(stripped: JsonObject, shape: Shape): ReadonlyMap<string, string> {
  return new Canonicalizer(stripped, [patternsOf(shape.sets ?? [])]).contents();
}

/** 128 bits of SHA-256 over the canonical form, in hexadecimal; an instant goes by what it is, and not by how it is written. */
export function fingerprint(stripped: JsonObject, shape: Shape): string {
  const body = withInstants(stripped, shape);
  return digest(canonicalText(body, shape, false) ?? stableText(canonical(body, shape)));
}

/** The same of a body as the service gives it. */
export function printOf(body: JsonObject, shape: Shape): string {
  const text = canonicalText(withInstants(body, shape), shape, true);
  return text === undefined ? fingerprint(strip(body, shape), shape) : digest(text);
}

interface Place {
  readonly value: Json;
  readonly nodes: readonly PatternNode[];
}

class Canonicalizer {
  readonly #subEntities = new Map<string, Place>();
  /** What stands for a key that a field names. */
  #names: ReadonlyMap<string, string> = new Map();

  constructor(root: JsonObject, nodes: readonly PatternNode[]) {
    this.#collect(root, nodes);
    if (this.#subEntities.size === 0) return;
    const named = new Set<string>();
    this.#findNamed(root, named);
    if (named.size > 0) this.#nameAll(named);
  }

  #collect(value: Json, nodes: readonly PatternNode[]): void {
    if (isArray(value)) {
      for (const item of value) this.#collect(item, advance(nodes, "*"));
    } else if (isObject(value)) {
      const isMap = isSubEntityMap(value);
      for (const [key, field] of Object.entries(value)) {
        const next = advance(nodes, isMap ? "*" : key);
        if (isMap) this.#subEntities.set(key, { value: field, nodes: next });
        this.#collect(field, next);
      }
    }
  }

  #findNamed(value: Json, into: Set<string>): void {
    if (typeof value === "string") {
      if (this.#subEntities.has(value)) into.add(value);
    } else if (isArray(value)) {
      for (const item of value) this.#findNamed(item, into);
    } else if (isObject(value)) {
      for (const field of Object.values(value)) this.#findNamed(field, into);
    }
  }

  /**
   * A sub-entity may name another one, or itself through others. So the names get finer round by round, from "all
   * alike" until no round tells more of them apart: neither keys nor the order of maps have a say in it.
   */
  #nameAll(named: ReadonlySet<string>): void {
    this.#names = new Map([...named].map((key) => [key, "~"]));
    for (let known = 0; ;) {
      const names = new Map([...named].map((key) => [key, `~${digest(this.#content(key))}`]));
      const apart = new Set(names.values()).size;
      this.#names = names;
      if (apart === known) return;
      known = apart;
    }
  }

  #content(key: string): string {
    const place = this.#subEntities.get(key);
    return place === undefined ? "" : stableText(this.value(place.value, place.nodes));
  }

  contents(): ReadonlyMap<string, string> {
    return new Map([...this.#subEntities.keys()].map((key) => [key, this.#content(key)]));
  }

  value(value: Json, nodes: readonly PatternNode[]): Json {
    // A text that names a sub-entity of this object stands for that sub-entity's content.
    if (typeof value === "string") return this.#names.get(value) ?? value;
    if (isArray(value)) {
      const items = value.map((item) => this.value(item, advance(nodes, "*")));
      const isSet = nodes.some((node) => node.ends) || items.every(isScalar);
      if (isSet && items.length > 1) return sorted(items);
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    if (!isObject(value)) return value;
    if (isSubEntityMap(value)) {
      return { "~": sorted(Object.values(value).map((item) => this.value(item, advance(nodes, "*")))) };
    }
    // What is not changed is not copied: most of a body is.
    let copy: MutableJson | undefined;
    for (const [name, field] of Object.entries(value)) {
      const result = this.value(field, advance(nodes, name));
      if (result === field) continue;
      copy ??= { ...value };
      setOwn(copy, name, result);
    }
    return copy ?? value;
  }
}

function sorted(items: readonly Json[]): readonly Json[] {
  return items
    .map((item) => ({ item, order: stableText(item) }))
    .sort((left, right) => (left.order < right.order ? -1 : left.order > right.order ? 1 : 0))
    .map(({ item }) => item);
}
