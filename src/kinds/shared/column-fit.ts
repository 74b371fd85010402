import type { Json, JsonObject } from "../../model/json.ts";
import { isExact } from "../../model/json.ts";
import { display } from "../../model/display.ts";

/** Types by column, as far as the metadata of an entity tells them (document 3: its shape is not shown). */
export type ColumnTypes = ReadonlyMap<string, string | undefined> | undefined;

const numbers: ReadonlySet<string> = new Set([
  "NUMBER",
  "INTEGER",
  "LONG",
  "LONG_INT",
  "FLOAT",
  "DOUBLE",
  "DECIMAL",
]);
const texts: ReadonlySet<string> = new Set(["STRING", "DATE", "DAY", "DATETIME"]);
const whole: ReadonlySet<string> = new Set(["INTEGER", "LONG", "LONG_INT"]);

/**
 * Why the target will not take one of these values, as far as both sides say what their columns are: a column that it
 * does not have, or has otherwise. What is of one type on both sides fits, whatever it is.
 */
export function unfit(
  values: JsonObject,
  isColumn: (name: string) => boolean,
  theirs: ColumnTypes,
  ours: ColumnTypes,
): string | undefined {
  if (ours === undefined) return undefined;
  for (const [name, value] of Object.entries(values)) {
    if (!isColumn(name) || value === null) continue;
    if (!ours.has(name)) return `the target has no column ${display(name)}, and the record has a value in it`;
    const type = ours.get(name)?.toUpperCase();
    if (type === undefined || type === theirs?.get(name)?.toUpperCase()) continue;
    if (!fits(type, value)) return `its ${display(name)} is no ${display(type)}`;
  }
  return undefined;
}

/** What a value of a column is, as far as its type tells. */
export function sortOf(type: string | undefined): "number" | "boolean" | "string" | undefined {
  const name = type?.toUpperCase() ?? "";
  if (numbers.has(name)) return "number";
  if (name === "BOOLEAN") return "boolean";
  return texts.has(name) ? "string" : undefined;
}

/** As far as its type tells. */
export function isOfOtherSort(value: Json, type: string | undefined): boolean {
  const sort = sortOf(type);
  return sort !== undefined && sort !== (isExact(value) ? "number" : typeof value);
}

/** No value of the one is a value of the other, as far as both tell: a day is no instant either. */
export function areUnlike(one: string | undefined, other: string | undefined): boolean {
  const [a, b] = [sortOf(one), sortOf(other)];
  if (a === undefined || b === undefined) return false;
  return a !== b || (isDay(one) && isInstant(other)) || (isInstant(one) && isDay(other));
}

function isDay(type = ""): boolean {
  return ["DATE", "DAY"].includes(type.toUpperCase());
}

function isInstant(type = ""): boolean {
  return type.toUpperCase() === "DATETIME";
}

function fits(type: string, value: Json): boolean {
  if (numbers.has(type)) {
    const number = isExact(value) ? Number(value.rawJSON) : value;
    return typeof number === "number" && (!whole.has(type) || Number.isInteger(number));
  }
  switch (type) {
    case "BOOLEAN":
      return typeof value === "boolean";
    case "STRING":
      return typeof value === "string";
    case "DATE":
    case "DAY":
      return typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value);
    case "DATETIME":
      return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
    default:
      return true;
  }
}

/** Whether a column holds text, also where a value looks like an instant: as the target says, or else the source. */
export function isText(name: string, theirs: ColumnTypes, ours: ColumnTypes): boolean {
  return (ours?.get(name) ?? theirs?.get(name))?.toUpperCase() === "STRING";
}

/** Whether the source has a column, as far as it tells: of one that it has lost it says nothing. */
export function hasColumn(name: string, theirs: ColumnTypes): boolean {
  return theirs === undefined || theirs.has(name);
}
