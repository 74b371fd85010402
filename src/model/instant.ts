import type { JsonObject, MutableJson } from "./json.ts";
import { isObject, own, setOwn } from "./json.ts";
import type { Shape } from "./shape.ts";

const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)$/i;

/** One text for one instant, whatever its offset; undefined for what names none. */
export function instantOf(value: string): string | undefined {
  // Most values are far from one: their fifth character tells.
  if (value.length < 17 || value[4] !== "-") return undefined;
  const [, minutes = "", seconds = ":00", fraction = "", offset = ""] = instant.exec(value) ?? [];
  if (offset === "") return undefined;
  const zone = /^z$/i.test(offset) ? "Z" : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
  const time = Date.parse(`${minutes}${seconds}${zone}`);
  return Number.isNaN(time) ? undefined : `@${time}.${fraction.replace(/0+$/, "")}`;
}

/** What `instantOf` names, in UTC: without a fraction that says nothing, and with thousandths at least. */
export function inUtc(at: string): readonly [short: string, full: string] {
  const [time = "", fraction = ""] = at.slice(1).split(".");
  const seconds = new Date(Number(time)).toISOString().slice(0, -".000Z".length);
  const short = fraction === "" ? "" : `.${fraction}`;
  return [`${seconds}${short}Z`, `${seconds}.${fraction.padEnd(3, "0")}Z`];
}

/** A body with one text for each of its instants, in whichever form a side keeps them. */
export function withInstants(body: JsonObject, { instants = [] }: Shape): JsonObject {
  return instants.reduce((result, place) => {
    const value = textAt(result, place);
    const at = value === undefined ? undefined : instantOf(value);
    return at === undefined ? result : withText(result, place, inUtc(at)[0]);
  }, body);
}

/** A body with the other one's text for each instant in which they are the same. */
export function inFormOf(other: JsonObject, body: JsonObject, { instants = [] }: Shape): JsonObject {
  return instants.reduce((result, place) => {
    const [here, there] = [textAt(result, place), textAt(other, place)];
    if (here === there || here === undefined || there === undefined) return result;
    const at = instantOf(here);
    return at === undefined || at !== instantOf(there) ? result : withText(result, place, there);
  }, body);
}

type Place = readonly [field: string, member: string];

function textAt(body: JsonObject, [field, member]: Place): string | undefined {
  const within = own(body, field);
  const value = isObject(within) ? own(within, member) : undefined;
  return typeof value === "string" ? value : undefined;
}

function withText(body: JsonObject, [field, member]: Place, value: string): JsonObject {
  const within = own(body, field);
  if (!isObject(within) || own(within, member) === value) return body;
  const [result, inner]: [MutableJson, MutableJson] = [{ ...body }, { ...within }];
  setOwn(inner, member, value);
  setOwn(result, field, inner);
  return result;
}
