import { stableText } from "../../model/canonical.ts";
import { spelt } from "../../model/exact-number.ts";
import { inUtc, instantOf } from "../../model/instant.ts";
import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { isArray, isExact, isObject, own, setOwn, text } from "../../model/json.ts";

/**
 * The same text for the same value: numbers however they are written, instants whatever their offset. What is known to
 * be text is text, also when it looks like an instant.
 */
export function valueText(value: Json, isText: boolean): string {
  const at = typeof value === "string" && !isText ? instantOf(value) : undefined;
  return at ?? stableText(value);
}

/**
 * A value as a service may have written it that compares text where an instant is meant: as it is given, and in UTC. What is written with
 * another offset there is found by none of these.
 */
export function formsOf(value: Json, isText: boolean): readonly Json[] {
  const at = typeof value === "string" && !isText ? instantOf(value) : undefined;
  if (at === undefined) return [value];
  const [short, full] = inUtc(at);
  return [...new Set([value, short, full])];
}

/** A value as requests and people read it; what is compared is `valueText`. */
export function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  return isExact(value) ? spelt(value) : stableText(value);
}

/** Names of all that a record speaks of, what is null included. */
export function namesOf(record: JsonObject): readonly string[] {
  const entries = own(record, "values");
  if (!isArray(entries)) return [];
  return entries.flatMap((entry) => (isObject(entry) ? (text(entry, "name") ?? []) : []));
}

/** `[{ name, value }]` as an object; what is null is not in it. */
export function valuesOf(record: JsonObject): JsonObject {
  const entries = own(record, "values");
  if (!isArray(entries)) return {};
  const values: MutableJson = {};
  for (const entry of entries) {
    if (!isObject(entry)) continue;
    const [name, value] = [text(entry, "name"), own(entry, "value")];
    if (name !== undefined && value !== undefined && value !== null) setOwn(values, name, value);
  }
  return values;
}
