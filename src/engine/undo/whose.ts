import type { MappingEntry } from "../../model/mapping.ts";
import type { Deed } from "./deed.ts";

/** Runs by what they have to do with those that are taken back. */
export interface RunsBeside {
  /** On record here, moved something, and are not taken back. */
  readonly otherRuns: ReadonlySet<string>;
  /** Those that are. */
  readonly ownRuns: ReadonlySet<string>;
  /** Those that took something back themselves, or put down what a person had decided. */
  readonly backRuns: ReadonlySet<string>;
}

/** A run that is not on record here, another plan's or another machine's, may have settled what this one has sent. */
export function isDraftOfOther(
  { run, targetFingerprint }: MappingEntry,
  { left }: Deed,
  { otherRuns, ownRuns, backRuns }: RunsBeside,
): boolean {
  if (run === undefined) return false;
  const isKnown = ownRuns.has(run) || backRuns.has(run);
  return otherRuns.has(run) || (!isKnown && targetFingerprint !== left);
}

/** A rollback has made it again; a later run may have, too, since the source has it again: that is the source's word. */
export function isMadeByRollback(
  { former, run = "" }: MappingEntry,
  { target }: Pick<Deed, "target">,
  { backRuns }: Pick<RunsBeside, "backRuns">,
): boolean {
  return former?.target === target || backRuns.has(run);
}
