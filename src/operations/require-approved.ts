import type { Diff } from "../engine/diff/index.ts";
import type { TargetState } from "../engine/read/target.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { EngineError } from "../engine/progress.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import { waits } from "../model/change.ts";
import { keyText } from "../model/key.ts";
import { plural } from "../model/plural.ts";
import type { DiffFile } from "./approved-file.ts";
import { checkApproved, refuseEdited } from "./approved.ts";
import { printOfPairs } from "./bound-pairs.ts";
import type { SnapshotReader } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import { keepApprovedRows, otherThanApproved } from "./records/approved-rows.ts";
import { needsPerson } from "./doubts.ts";
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
    /** What is in doubt still. */
    readonly ask: readonly Doubt[];
  },
  now: Diff,
  { pairs }: Pick<TargetState, "pairs">,
): Promise<void> {
  const { changes, bound } = approved.file;
  const earlier = await runsOfDiff(migration, approved.digest, replayed.runs);
  if (earlier.runs.size === 0) {
    checkApproved(approved.file, now, mapping, earlier, { run: approved.run });
    refuseEdited(approved.file);
    await keepApprovedRows(migration, lease, changes);
    return;
  }
  // What this run has settled and published by now was begun by those.
  const runs = new Set([...earlier.runs, approved.run]);
  const otherRows = await otherThanApproved(migration, changes, runs);
  const { source } = approved;
  const { registry } = migration;
  const more = {
    otherRows,
    run: approved.run,
    ...(bound.pairs === undefined
      ? {}
      : { pairs: printOfPairs(pairs, changes, { mapping, source, registry }) }),
  };
  try {
    checkApproved(approved.file, now, mapping, { ...earlier, runs }, more);
  } catch (error) {
    throw inDoubtFirst(migration, approved, error);
  }
  refuseEdited(approved.file);
}

/** What of it was sent, and nobody knows yet what became of that, is no reason to have another one approved. */
function inDoubtFirst(
  { plan }: Migration,
  { file, ask }: { readonly file: DiffFile; readonly ask: readonly Doubt[] },
  error: unknown,
): unknown {
  const meant = new Set(file.changes.flatMap(({ id, action }) => (waits(action) ? [] : [id])));
  const open = ask.filter(({ kind, item }) => meant.has(keyText(kind, item.source)));
  if (!(error instanceof EngineError) || open.length === 0) return error;
  const isAsked = open.some(needsPerson);
  return new EngineError(
    isAsked ? "in-doubt" : "interrupted",
    `what became of ${plural(open.length, "operation")} of the approved diff is not known, and nothing more of it was written`,
    isAsked ? `Decide: ferry resolve ${plan.name}` : "Run the same command again: that settles it.",
    error.details,
  );
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
