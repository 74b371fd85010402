import type { Json, JsonObject } from "../../../src/emulator/index.ts";

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field as text; the empty string when it is absent or something else. */
export function text(object: JsonObject | undefined, key: string): string {
  const value = object?.[key];
  return typeof value === "string" ? value : "";
}

/** JSON text with sorted keys. */
export function stable(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${stable(value[key])}`).join(",")}}`;
}
