import type { Json } from "../../model/json.ts";
import { fromEntries } from "../../model/json.ts";
import type { ListedPage, RecordRange } from "../../service/index.ts";
import type { Needs } from "./record-place.ts";

/** Of what is looked up nothing is left out either: what is not found counts as absent. */
export const seamed: RecordRange = { isSeamed: true };

/** A list of records is read from here on. */
export function rangeFrom(from: string | undefined): RecordRange {
  return { ...seamed, ...(from === undefined ? {} : { offset: Number(from) }) };
}

/** Where a page of a list begins. */
export function placeOf({ from }: ListedPage): string {
  return String(from);
}

/** The filter of a plan as a list takes it: `*` stands for anything. */
export function matchingOf(
  filter: Readonly<Record<string, string | number | boolean>>,
): Readonly<Record<string, readonly string[]>> {
  const entries = Object.entries(filter).map(([name, value]): [string, Json] => [name, [String(value)]]);
  return fromEntries(entries) as Readonly<Record<string, readonly string[]>>;
}

/** What of a text no list can be asked for: a comma separates values there, and nothing escapes either. */
export function uncarried(text: string): string | undefined {
  if (text.includes(",")) return "a comma, which no request can carry";
  // Half of a surrogate pair would arrive as another character.
  return text.isWellFormed() ? undefined : "half a character, which no request can carry";
}

/** Each pattern of a plan by itself: one that fits no column is a mistake. */
export function patternsOf(
  columns: readonly string[],
  make: (column: string) => { has(name: string): boolean },
): Needs["columns"] {
  return columns.map((written) => {
    const pattern = make(written);
    return { written, fits: (name) => pattern.has(name) };
  });
}
