/** JSON as a type: bodies are kept as open trees, so that a field nobody has named is stored and returned. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/**
 * Reads JSON as a service does that counts further than JavaScript: a number that this cannot hold stays as it was written. Throws
 * SyntaxError.
 */
export function parseJson(text: string): Json {
  const mayBeBeyond = /[\d.]{16}|[\d.][eE][+-]?\d/.test(text);
  return (mayBeBeyond ? JSON.parse(text, asWritten) : JSON.parse(text)) as Json;
}

function asWritten(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== "number" || source === undefined || JSON.stringify(value) === source) return value;
  if (!Number.isFinite(value)) return JSON.rawJSON(source);
  const isHeld = /^-?\d+$/.test(source)
    ? BigInt(source) === BigInt(value)
    : source.replace(/[eE].*$/, "").replaceAll(/^-?0*\.?0*|\D/g, "").length <= 15;
  return isHeld ? value : JSON.rawJSON(source);
}

/** Also one that JavaScript cannot hold. */
export function isNumber(value: unknown): boolean {
  return typeof value === "number" || JSON.isRawJSON(value);
}

export function isWholeNumber(value: unknown): boolean {
  return JSON.isRawJSON(value) ? /^-?\d+$/.test(value.rawJSON) : Number.isInteger(value);
}

export function isArray(value: unknown): value is Json[] {
  return Array.isArray(value);
}

/** A field as an object; the empty one when it is absent or something else. */
export function child(object: JsonObject | undefined, key: string): JsonObject {
  const value = object?.[key];
  return isObject(value) ? value : {};
}

/** A value as text; the empty string when it is something else. */
export function asText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function list(object: JsonObject | undefined, key: string): Json[] {
  const value = object?.[key];
  return isArray(value) ? value : [];
}

/** An entry whatever its name is: `constructor` and `__proto__` are names like any other. */
export function entryOf<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A plain assignment to `__proto__` would lose the field. */
export function setEntry(object: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}

export function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** The fields that have a value: `undefined` marks one that is left out of an answer. */
export function compact(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) setEntry(result, key, value);
  return result;
}

export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  return stableText(left) === stableText(right);
}

/** JSON text with sorted keys, so that equal content gives equal text. */
export function stableText(value: Json | undefined): string {
  if (isArray(value)) return `[${value.map(stableText).join(",")}]`;
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${stableText(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** One step of a JSON pointer, escaped as RFC 6901 says. */
export function pointerStep(key: string | number): string {
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** JSON Merge Patch (RFC 7386; document 1, "Conventions", Partial update). */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else setEntry(result, key, mergePatch(entryOf(result, key), value));
  }
  return result;
}
