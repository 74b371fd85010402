import type { Diff } from "../engine/diff/index.ts";
import type { TargetState } from "../engine/read/target.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { DiffFile } from "./approved-file.ts";
import { checkApproved, refuseEdited } from "./approved.ts";
import { printOfPairs } from "./bound-pairs.ts";
import type { SnapshotReader } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import { keepApprovedRows, otherThanApproved } from "./records/approved-rows.ts";
import { runsOfDiff } from "./runs.ts";
import type { WritingState } from "./state.ts";

/** Refuses what was not approved, before anything of it is written. Throws EngineError. */
export async function requireApproved(
  migration: Migration,
  { mapping, replayed, lease }: WritingState,
  approved: {
    readonly file: DiffFile;
    readonly digest: string;
    readonly run: string;
    readonly source: SnapshotReader;
  },
  now: Diff,
  { pairs }: Pick<TargetState, "pairs">,
): Promise<void> {
  const { changes, bound } = approved.file;
  const earlier = await runsOfDiff(migration, approved.digest, replayed.runs);
  if (earlier.size === 0) {
    checkApproved(approved.file, now, mapping, earlier, { run: approved.run });
    refuseEdited(approved.file);
    await keepApprovedRows(migration, lease, changes);
    return;
  }
  // What this run has settled and published by now was begun by those.
  const runs = new Set([...earlier, approved.run]);
  const otherRows = await otherThanApproved(migration, changes, runs);
  const { source } = approved;
  const { registry } = migration;
  checkApproved(approved.file, now, mapping, runs, {
    otherRows,
    run: approved.run,
    ...(bound.pairs === undefined
      ? {}
      : { pairs: printOfPairs(pairs, changes, { mapping, source, registry }) }),
  });
  refuseEdited(approved.file);
}

/** An approved diff was not applied to its end, and this run does not keep to it: whoever approves should know. */
export function approvedBefore(
  { replayed }: Pick<WritingState, "replayed">,
  plan: string,
): readonly Diagnostic[] {
  const last = replayed.open.findLast(({ diff }) => diff !== undefined);
  if (last === undefined) return [];
  return [
    {
      severity: "warning",
      code: "approved-before",
      summary: `the run of ${last.at} that applied an approved diff did not come to its end, and this one is not bound to that diff: what has changed since is done as well`,
      suggestion: `To do what was approved and nothing else: ferry apply ${plan} --diff FILE, with the file that was approved.`,
    },
  ];
}
