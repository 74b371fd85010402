import { awaitLateBirths } from "../engine/apply/late-births.ts";
import type { Recorder } from "../engine/apply/recorder.ts";
import type { DiffInput } from "../engine/diff/input.ts";
import type { TargetReading } from "../engine/read/target.ts";
import type { RecoverOptions, WantsFinished } from "../engine/settle/leftovers.ts";
import { finishUnfinished, settleLeftovers } from "../engine/settle/leftovers.ts";
import type { Replayed } from "../engine/settle/replay.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import { printOf } from "../model/canonical.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { effectOf } from "../model/journal.ts";
import { keyText } from "../model/key.ts";
import { someOf } from "../model/some-of.ts";
import { plural } from "../model/plural.ts";
import type { SnapshotReader } from "../store/index.ts";
import { readTargetFor } from "./compare.ts";
import type { Migration } from "./migration.ts";
import { settlerFor } from "./run.ts";
import type { WritingState } from "./state.ts";

interface Run {
  readonly migration: Migration;
  readonly state: WritingState;
  readonly recorder: Recorder;
  readonly run: string;
}

interface Sides {
  readonly source: SnapshotReader;
  readonly target: TargetReading;
}

interface Leftovers {
  /** Those that are still open. */
  readonly ask: readonly Doubt[];
  /**
   * For the diff: keys of the objects of these, and of those whose publish has lost its answer now; and by key, why the
   * publish that an interrupted run had left was refused.
   */
  readonly open: Required<Pick<DiffInput, "inDoubt" | "unpublished">>;
  readonly diagnostics: readonly Diagnostic[];
  /** So many were published that an interrupted run had only created or patched. */
  readonly finished: number;
  /** The target as it is by now: as it was read where nothing of it is old. */
  readonly lookAgain: (target: TargetReading) => Promise<TargetReading>;
}

/**
 * What interrupted runs left in doubt or undone is brought to its end, before anything new is computed. `toFinish` is asked
 * where anything is left to be published; what it throws keeps that from being done.
 */
export async function settleLeft(
  by: Run,
  { source, target }: Sides,
  toFinish: () => Promise<WantsFinished>,
): Promise<Leftovers> {
  const { migration, state, recorder } = by;
  const { replayed, mapping } = state;
  const baseline = (run: string, kind: string): ReadonlySet<string> | undefined =>
    replayed.baselines.get(run)?.get(kind);
  const options = {
    client: migration.target(),
    registry: await migration.kinds("target"),
    mapping,
    recorder,
    settler: await settlerFor(migration, migration.target(), mapping, baseline),
    target,
    report: migration.report,
    abandoned: await migration.store.state.abandoned(),
    rollbacks: runsOfRollbacks(replayed),
  };
  if (replayed.doubts.length > 0)
    migration.report({ type: "stage", stage: "settle", detail: plural(replayed.doubts.length, "operation") });
  const { settler } = options;
  const isOld = (doubt: Doubt): boolean => isOtherwiseNow(doubt, source, options);
  await settler.arrivals(replayed.doubts.filter(isOld));
  const settled = await settleLeftovers(replayed.doubts, options);
  const wanted = mapping.hasUnfinished ? await toFinish() : undefined;
  const unsettled = keysOf(settled.ask);
  // What is in doubt still, such as what the service is at work on, is not sent once more.
  const finished = await finishUnfinished(
    options,
    (kind, source, row) =>
      !unsettled.has(keyText(kind.name, source)) && wanted?.(kind, source, row) !== false,
  );
  const ask = [...settled.ask, ...finished.ask];
  const refused = finished.failed.filter(({ state }) => state === "refused");
  const failed = finished.failed.map(({ told }): Diagnostic => ({
    severity: "error",
    code: "unfinished",
    summary: `it could not be published: ${told}`,
  }));
  const { done } = finished;
  const told: readonly Diagnostic[] =
    done.length === 0
      ? []
      : [
          {
            severity: "info",
            code: "finished",
            summary: `what an interrupted run had left to be published was published before anything else: ${someOf(done, 5)}`,
          },
        ];
  return {
    ask,
    open: {
      inDoubt: keysOf(ask),
      unpublished: new Map(refused.map(({ key, reason }) => [key, reason])),
    },
    diagnostics: [...settled.diagnostics, ...told, ...failed],
    finished: done.length,
    async lookAgain(old) {
      const isOld = settled.moved || done.length > 0;
      const now = isOld ? await readAgain(by, source, old) : old;
      return (await hasLateBirths(by, source, now)) ? readAgain(by, source, now) : now;
    },
  };
}

function keysOf(doubts: readonly Doubt[]): ReadonlySet<string> {
  return new Set(doubts.map(({ kind, item }) => keyText(kind, item.source)));
}

/**
 * The source says something else than what was sent, or has nothing to say any more: what came of it is written over, or goes, in this run.
 * Of what a rollback gives back that no run had brought there before, the source has said nothing.
 */
function isOtherwiseNow(
  doubt: Doubt,
  source: SnapshotReader,
  { registry, rollbacks }: Pick<RecoverOptions, "registry" | "rollbacks">,
): boolean {
  const { kind: name, run, item } = doubt;
  const kind = registry.movedKind(name);
  if (kind === undefined || !source.kinds().includes(name)) return false;
  const sent = item.ownFingerprint ?? item.sourceFingerprint;
  if (sent === undefined) return rollbacks.has(run) && effectOf(doubt) !== "releases";
  return !source.has(name, item.source) || printOf(source.body(name, item.source), kind.shape) !== sent;
}

/** Among the runs that stand in the journal. */
export function runsOfRollbacks({ runs }: Pick<Replayed, "runs">): ReadonlySet<string> {
  return new Set(runs.flatMap(({ run, command }) => (command === "rollback" ? [run] : [])));
}

async function readAgain(
  { migration, state }: Run,
  source: SnapshotReader,
  old: TargetReading,
): Promise<TargetReading> {
  old.snapshot.close();
  return readTargetFor(migration, source, state.mapping, migration.target());
}

async function hasLateBirths(
  { migration, state, run }: Run,
  source: SnapshotReader,
  { pairs }: TargetReading,
): Promise<boolean> {
  const { replayed, mapping } = state;
  if (replayed.open.length === 0) return false;
  return awaitLateBirths({
    registry: await migration.kinds("target"),
    source,
    pairs,
    client: migration.target(),
    sleep: migration.sleep,
    now: migration.now,
    plan: migration.plan,
    mapping,
    runs: new Set([...replayed.open.map((open) => open.run), run]),
  });
}
