import type { OpenTable, Row } from "../../kinds/kind.ts";
import { digest } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { own } from "../../model/json.ts";

/** A row is known by a digest of its key. */
export function keyDigest(key: string): string {
  return digest(key);
}

/** What of a row the source says anything about. */
export type Reading = Pick<OpenTable, "isOurs" | "text">;

/** The same for rows that say the same, as far as the source says anything. */
export function printOf(values: JsonObject, reading: Reading): string {
  const { sorted, texts } = ordered(values);
  let fields = "";
  for (const [at, name] of sorted.entries()) {
    const value = values[name] ?? null;
    if (value === null || !reading.isOurs(name)) continue;
    fields += `${fields === "" ? "" : "\n"}${texts[at] ?? ""}${reading.text(name, value)}`;
  }
  return digest(fields).slice(0, 16);
}

/**
 * Whether a print of the row would be of all that it says. Of a service that does not tell the attributes of a table some may not have been
 * seen yet, and whoever wrote into them could not be told.
 */
export function isOfWhole(
  values: JsonObject,
  { isOurs, namesAll }: Pick<OpenTable, "isOurs" | "namesAll">,
): boolean {
  return namesAll === true || Object.keys(values).every((name) => isOurs(name));
}

/**
 * The same of a row of which a part is put back, without what comes after all rows and stays: a look tells of a relation where it is asked
 * for it, and whoever takes back one of two changes does not ask for that of the other.
 */
export function restPrint(values: JsonObject, reading: Resting): string {
  const { isLater, stays } = reading;
  if (isLater === undefined || stays === undefined) return printOf(values, reading);
  const isOurs = (name: string): boolean => reading.isOurs(name) && !(isLater(name) && stays(name));
  return printOf(values, { text: reading.text, isOurs });
}

/** What of a row no request takes away is not in its print as it was put back. */
export type Resting = Reading & Pick<OpenTable, "isLater" | "stays">;

/** Of attributes that are not moved: in which of them somebody has said something. Undefined where the row does not tell. */
export function unmovedPrint(row: Pick<Row, "unmoved">, { text }: Pick<Reading, "text">): string | undefined {
  const values = row.unmoved?.();
  return values === undefined ? undefined : printOf(values, { text, isOurs: () => true });
}

/** The same as it is kept, for whoever makes the row again. */
export function unmovedOf(row: Pick<Row, "unmoved">): { readonly unmoved?: JsonObject } {
  const unmoved = row.unmoved?.();
  return unmoved === undefined ? {} : { unmoved };
}

/** Rows of a table have their attributes in one order, mostly that of the row before. */
let last: Ordered = { names: [], sorted: [], texts: [] };

interface Ordered {
  readonly names: readonly string[];
  readonly sorted: readonly string[];
  /** As JSON, in that order. */
  readonly texts: readonly string[];
}

/** The names of its attributes, sorted. */
export function inOrder(values: JsonObject): readonly string[] {
  return ordered(values).sorted;
}

function ordered(values: JsonObject): Ordered {
  const names = Object.keys(values);
  if (names.length === last.names.length && names.every((name, at) => name === last.names[at])) return last;
  const sorted = names.toSorted();
  last = { names, sorted, texts: sorted.map((name) => JSON.stringify(name)) };
  return last;
}

/** Whether two rows are alike to the letter: what they say is the same then, and need not be worked out. */
export function isAlike(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && one[name] === other[name])
  );
}

export interface ValueChange {
  readonly name: string;
  readonly from: JsonObject[string] | undefined;
  readonly to: JsonObject[string] | undefined;
}

/** What would have to change at the target; what is null is absent. */
export function changesOf(source: Row, target: Row, reading: Reading): readonly ValueChange[] {
  const names = new Set([...Object.keys(source.values), ...Object.keys(target.values)]);
  return [...names].sort().flatMap((name): ValueChange[] => {
    if (!reading.isOurs(name)) return [];
    const [to, from] = [own(source.values, name), own(target.values, name)];
    if (to === undefined && from === undefined) return [];
    if (to !== undefined && from !== undefined && reading.text(name, to) === reading.text(name, from))
      return [];
    return [{ name, from, to }];
  });
}

/** A digest as a UUID, as which it is kept in sixteen bytes. */
export function asUuid(text: string): string {
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
