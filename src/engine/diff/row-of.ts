import { isDeepStrictEqual } from "node:util";
import type { MovedKind } from "../../kinds/kind.ts";
import type { Work } from "../../model/change.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { allDone, formerOf, keysOf, knownOf } from "../apply/entry-after.ts";
import { pairedOrigin } from "../facets/standing.ts";

/** What is known of an object that is as it should be, or is taken as it is, without a request. */
export interface Stands {
  readonly kind: MovedKind;
  readonly action: "adopt" | "unchanged";
  /** What it is called at the source. */
  readonly name: string;
  /** URN of its twin. */
  readonly target: string;
  readonly work: Work;
}

/** The row that it has from then on; `row` is the one that it has, `run` the run that writes it where none did. */
export function rowOf(
  { kind, action, name, target, work }: Stands,
  row: MappingEntry | undefined,
  run: string,
): MappingEntry {
  // The row of a twin that is gone says nothing of the one that is there.
  const before = row?.target === target ? row : undefined;
  const writesLater = work.patch !== undefined;
  return {
    name,
    target,
    origin: before?.origin ?? pairedOrigin(kind, action === "adopt"),
    ...(writesLater ? {} : knownOf(work)),
    ...(work.targetFingerprint === undefined ? {} : { targetFingerprint: work.targetFingerprint }),
    ...keysOf(before?.keys, work.keys),
    ...formerOf(row, target),
    // The target shows what it should: a last step whose answer was lost was done.
    ...(before?.unfinished === undefined || action === "unchanged" ? {} : { unfinished: before.unfinished }),
    run: before?.run ?? run,
  };
}

/**
 * A row whose last step was refused, or had no answer, and shows its effect all the same: what was to come back to somebody who had
 * changed it is theirs again.
 */
export function asDone(row: MappingEntry | undefined, shown: string): MappingEntry | undefined {
  const isDone =
    row?.unfinished !== undefined && row.drifted !== undefined && row.targetFingerprint === shown;
  return isDone ? allDone(row) : row;
}

/** Its row says all of it already: nothing has to be remembered. */
export function isRecorded(stands: Stands, row: MappingEntry | undefined): boolean {
  return row?.run !== undefined && isDeepStrictEqual(row, rowOf(stands, row, row.run));
}
