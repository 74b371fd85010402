import { isDeepStrictEqual } from "node:util";
import type { MappingEntry } from "./mapping.ts";

export type Entries = ReadonlyMap<string, MappingEntry>;

/** A row, or that there is none. */
export interface Side {
  readonly source: string;
  readonly entry: MappingEntry;
}

/** What two versions of a mapping say and cannot both be right about; a person decides. */
export interface MergeConflict {
  /** `row`: both changed one row, differently. `target`: each gives the same target to another source. */
  readonly about: "row" | "target";
  readonly ours?: Side;
  readonly theirs?: Side;
}

export interface Merged {
  /** All rows about which there is no conflict, sorted by source. */
  readonly entries: Entries;
  /** Sorted by the source that comes first in each. */
  readonly conflicts: readonly MergeConflict[];
}

/**
 * Brings two versions of one kind's mapping together, row by row; `base` is what both began with, empty when that is not
 * known. It is the same whichever of them is ours, loses no row, and makes up none.
 */
export function mergeEntries(base: Entries, ours: Entries, theirs: Entries): Merged {
  const merged = new Map<string, MappingEntry>();
  const conflicts: MergeConflict[] = [];
  for (const source of [...new Set([...ours.keys(), ...theirs.keys()])].sort()) {
    const [before, mine, other] = [base.get(source), ours.get(source), theirs.get(source)];
    if (isSame(mine, other)) put(merged, source, later(mine, other));
    else if (isSame(mine, before)) put(merged, source, other);
    else if (isSame(other, before)) put(merged, source, mine);
    else if (before === undefined && isFound(other, mine)) put(merged, source, mine);
    else if (before === undefined && isFound(mine, other)) put(merged, source, other);
    else
      conflicts.push({ about: "row", ...sideOf("ours", source, mine), ...sideOf("theirs", source, other) });
  }
  for (const [one, other] of sharedTargets(merged)) {
    // Neither side gives a target twice: of the two rows each has one that the other has otherwise or not at all.
    const isOurs = isSame(ours.get(one), merged.get(one));
    const [mine, its] = isOurs && !isSame(ours.get(other), merged.get(other)) ? [one, other] : [other, one];
    conflicts.push({
      about: "target",
      ...sideOf("ours", mine, merged.get(mine)),
      ...sideOf("theirs", its, merged.get(its)),
    });
  }
  for (const { about, ours: mine, theirs: other } of conflicts)
    if (about === "target") for (const side of [mine, other]) merged.delete(side?.source ?? "");
  return { entries: merged, conflicts: conflicts.sort((one, other) => (first(one) < first(other) ? -1 : 1)) };
}

/** The source that comes first. */
export function first({ ours, theirs }: MergeConflict): string {
  return [ours, theirs].flatMap((side) => (side === undefined ? [] : [side.source])).sort()[0] ?? "";
}

function put(entries: Map<string, MappingEntry>, source: string, entry: MappingEntry | undefined): void {
  if (entry !== undefined) entries.set(source, entry);
}

function sideOf<Name extends "ours" | "theirs">(
  name: Name,
  source: string,
  entry: MappingEntry | undefined,
): { readonly [Key in Name]?: Side } {
  return entry === undefined ? {} : ({ [name]: { source, entry } } as { readonly [Key in Name]: Side });
}

/** Which run wrote a row last is no part of what it says. */
function isSame(one: MappingEntry | undefined, other: MappingEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isDeepStrictEqual({ ...one, run: undefined }, { ...other, run: undefined });
}

/**
 * Two runs at once, or one from an older state of the branch: the second finds what the first has made, and takes it over. Who made it
 * is known, and nothing else is between them.
 */
function isFound(found: MappingEntry | undefined, made: MappingEntry | undefined): boolean {
  if (found?.origin !== "adopted" || made?.origin !== "created") return false;
  return isSame({ ...found, origin: "created" }, made);
}

/** Of two rows that say the same, the one of the later run: their names sort by time. */
function later(one: MappingEntry | undefined, other: MappingEntry | undefined): MappingEntry | undefined {
  return (one?.run ?? "") < (other?.run ?? "") ? other : one;
}

/** Two sources that share a target would overwrite each other for ever. */
function sharedTargets(entries: Entries): readonly (readonly [string, string])[] {
  const sources = new Map<string, string>();
  const found: (readonly [string, string])[] = [];
  for (const [source, { target }] of entries) {
    const other = sources.get(target);
    if (other === undefined) sources.set(target, source);
    else found.push([other, source]);
  }
  return found;
}
