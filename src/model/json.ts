/** Bodies of the service are open trees: fields that nobody has named travel along (README, promise 3). */
export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject;
/** A number that JavaScript cannot hold or would write otherwise, as it was written (json-text.ts): it travels so. */
export interface ExactNumber {
  readonly rawJSON: string;
}
export interface JsonObject {
  readonly [key: string]: Json;
}
export type MutableJson = { [key: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

export function isExact(value: unknown): value is ExactNumber {
  return JSON.isRawJSON(value);
}

/** Neither an object nor an array; null is as good as an empty one. */
export function isScalar(value: Json): boolean {
  return typeof value !== "object" || JSON.isRawJSON(value);
}

/** A number of the client's own concern, however it was written. */
export function plainNumber(value: unknown): unknown {
  return isExact(value) ? Number(value.rawJSON) : value;
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Sets an own property whatever its name is. A plain assignment to `__proto__` would change the prototype and
 * lose the field; names in bodies come from the service and are hostile input.
 */
export function setOwn(target: MutableJson, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** What a copy begins with that is made when the first field is otherwise: those before it. */
export function firstFields(value: JsonObject, names: readonly string[], count: number): MutableJson {
  const copy: MutableJson = {};
  for (const name of names.slice(0, count)) setOwn(copy, name, value[name] ?? null);
  return copy;
}

/** An object of these fields, whatever their names are. */
export function fromEntries(entries: readonly (readonly [string, Json])[]): JsonObject {
  const result: MutableJson = {};
  for (const [key, value] of entries) setOwn(result, key, value);
  return result;
}

export function own(value: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The text of a field, or undefined when it is absent or no string. */
export function text(value: JsonObject, key: string): string | undefined {
  const found = own(value, key);
  return typeof found === "string" ? found : undefined;
}

/** The texts in a field that holds a list; none where it holds anything else. */
export function textsIn(value: JsonObject, key: string): readonly string[] {
  const found = own(value, key);
  return isArray(found) ? found.filter((item) => typeof item === "string") : [];
}

/** The object in a field, or undefined. */
export function child(value: JsonObject, key: string): JsonObject | undefined {
  const found = own(value, key);
  return isObject(found) ? found : undefined;
}

/** The JSON pointer of what these names, one after the other, lead to. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((name) => `/${pointerToken(String(name))}`).join("");
}

/** The names that a JSON pointer leads along. */
export function tokensOf(pointer: string): readonly string[] {
  const tokens = pointer.split("/").slice(1);
  return pointer.includes("~")
    ? tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    : tokens;
}

/** One reference token of a JSON pointer (RFC 6901). */
export function pointerToken(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}
