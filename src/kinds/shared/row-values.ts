import { stableText } from "../../model/canonical.ts";
import { spelt } from "../../model/exact-number.ts";
import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { isArray, isExact, isObject, own, setOwn, text } from "../../model/json.ts";

const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)$/i;

/** One text for one instant, whatever its offset; undefined for what names none. */
function instantOf(value: string): string | undefined {
  // Most values are far from one: their fifth character tells.
  if (value.length < 17 || value[4] !== "-") return undefined;
  const [, minutes = "", seconds = ":00", fraction = "", offset = ""] = instant.exec(value) ?? [];
  if (offset === "") return undefined;
  const zone = /^z$/i.test(offset) ? "Z" : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
  const time = Date.parse(`${minutes}${seconds}${zone}`);
  return Number.isNaN(time) ? undefined : `@${time}.${fraction.replace(/0+$/, "")}`;
}

/** Whether two texts name one instant, each in its own way. */
export function isSameInstant(one = "", other = ""): boolean {
  const at = instantOf(one);
  return at !== undefined && at === instantOf(other);
}

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
  const [time = "", fraction = ""] = at.slice(1).split(".");
  const seconds = new Date(Number(time)).toISOString().slice(0, -".000Z".length);
  const short = fraction === "" ? "" : `.${fraction}`;
  return [...new Set([value, `${seconds}${short}Z`, `${seconds}.${fraction.padEnd(3, "0")}Z`])];
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
