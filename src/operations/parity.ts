import type { MonitorPair, MonitorPairs } from "../engine/parity/index.ts";
import { compareResults, pairsOf } from "../engine/parity/index.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ParityOutcome, ParityPair } from "../model/parity.ts";
import type { ExitCode, Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { plural } from "../model/plural.ts";
import { AfterWrites, unordered, worse } from "./after-writes.ts";
import type { Evaluated } from "./evaluate.ts";
import { evaluateTargets } from "./evaluate.ts";
import { defect } from "./failure.ts";
import type { Migration } from "./migration.ts";
import { resultOf } from "./result.ts";
import { beginRun, recorderFor } from "./run.ts";
import { endServiceRun, evaluationKind, ServiceRuns } from "./service-runs.ts";
import type { WritingState } from "./state.ts";
import { readState, writing } from "./state.ts";

export interface ParityPlanOptions {
  /** Points of per cent that two qualities may lie apart. */
  readonly tolerance?: number;
  /** Invalid records of each side to show where they differ. */
  readonly samples?: number;
  /** Starts an evaluation of each moved monitor at the target first, and waits for it. */
  readonly run?: boolean;
}

export const usualTolerance = 0.5;

/** Do the moved monitors say the same as their originals? Nothing is written, but for the runs that are asked for. */
export async function parityPlan(migration: Migration, options: ParityPlanOptions = {}): Promise<Result> {
  if (options.run === true)
    return writing(migration, async (run, state) => runAndCompare(migration, options, run, state));
  const { mapping } = await readState(migration);
  const found = await readPairs(migration, mapping);
  return resultFor(migration, await compareParity(migration, mapping, found.pairs, options), found);
}

/** The journal knows what was started, so that another run takes it up; what has ended leaves nothing in it. */
async function runAndCompare(
  migration: Migration,
  options: ParityPlanOptions,
  run: string,
  state: WritingState,
): Promise<Result> {
  const { mapping, replayed, journal } = state;
  const found = await readPairs(migration, mapping);
  const { pairs } = found;
  const records = beginRun(migration, journal, { run, command: "parity" });
  const recorder = recorderFor(migration, run, records, mapping);
  const runs = new ServiceRuns({ migration, kind: evaluationKind, recorder, starts: replayed.starts });
  migration.report({ type: "stage", stage: "evaluate", detail: migration.plan.target.name });
  const evaluated = await evaluateTargets(migration, pairs, runs);
  const parity = await compareParity(migration, mapping, pairs, options, evaluated);
  const result = resultFor(migration, parity, found, evaluated);
  const after = new AfterWrites();
  await after.tried(unordered, async () =>
    endServiceRun(migration, state, records, { run, exitCode: result.exitCode, runs }),
  );
  return after.onto(result);
}

function resultFor(
  migration: Migration,
  parity: readonly ParityPair[],
  found: MonitorPairs,
  evaluated?: Evaluated,
): Result {
  const isOpen = evaluated?.isOpen === true;
  return resultOf(migration, {
    command: "parity",
    exitCode: isOpen ? exitCodes.interrupted : parityCode(parity),
    parity,
    diagnostics: [...(evaluated?.diagnostics ?? []), ...idleNote(found.idle)],
    headline: parityHeadline(parity, found),
    next: isOpen
      ? [`ferry parity ${migration.plan.name} --run`]
      : parityNext(migration, parity, found, evaluated !== undefined),
  });
}

async function readPairs(migration: Migration, mapping: MappingTable): Promise<MonitorPairs> {
  migration.report({ type: "stage", stage: "pairs of monitors" });
  return pairsOf({
    registry: migration.registry,
    mapping,
    selection: migration.plan.select,
    source: migration.source(),
    target: migration.targetReads(),
  });
}

async function compareParity(
  migration: Migration,
  mapping: MappingTable,
  pairs: readonly MonitorPair[],
  { tolerance = usualTolerance, samples = 0 }: ParityPlanOptions,
  evaluated?: Evaluated,
): Promise<readonly ParityPair[]> {
  const { plan, registry, report } = migration;
  report({ type: "stage", stage: "parity", detail: plural(pairs.length, "pair") });
  return compareResults(pairs, {
    registry,
    mapping,
    selection: plan.select,
    source: migration.source(),
    target: migration.targetReads(),
    tolerance,
    samples,
    concurrency: plan.limits.concurrency,
    report,
    ...(evaluated === undefined ? {} : { without: evaluated.without, awaited: evaluated.awaited }),
  });
}

/** They would stand among what cannot be compared for ever, and nobody could do anything about it. */
function idleNote(idle: number): readonly Diagnostic[] {
  if (idle === 0) return [];
  const summary = `${plural(idle, "moved monitor")} ${idle === 1 ? "has" : "have"} no rule that is switched on at either side (their runs are SKIPPED): there is nothing to compare`;
  return [{ severity: "info", code: "evaluates-nothing", summary }];
}

function count(parity: readonly ParityPair[], wanted: ParityOutcome): number {
  return parity.filter(({ outcome }) => outcome === wanted).length;
}

/** 7 when any differ, else 4 when some could not be compared, else 0. */
export function parityCode(parity: readonly ParityPair[]): ExitCode {
  if (count(parity, "different") > 0) return exitCodes.expectation;
  return count(parity, "not-comparable") > 0 ? exitCodes.partial : exitCodes.done;
}

function parityHeadline(parity: readonly ParityPair[], { idle, moved }: MonitorPairs): string {
  if (parity.length === 0) return `Nothing to compare: ${whyNothing(idle, moved)}.`;
  const [different, without, equal] = [
    count(parity, "different"),
    count(parity, "not-comparable"),
    count(parity, "equal"),
  ];
  const rest = without === 0 ? "" : ` ${plural(without, "pair")} could not be compared.`;
  if (different === 0 && without === 0)
    return `All ${plural(equal, "moved monitor")} ${equal === 1 ? "says" : "say"} the same as ${equal === 1 ? "its original" : "their originals"}.`;
  const differ =
    different === 0
      ? "None differs"
      : `${plural(different, "moved monitor")} ${different === 1 ? "differs" : "differ"}`;
  return `${differ}, ${equal} of ${parity.length} ${equal === 1 ? "says" : "say"} the same as the original.${rest}`;
}

function whyNothing(idle: number, moved: number): string {
  if (moved === 0) return "no monitor of this plan was moved yet";
  return idle === 0
    ? "nothing of the selection is a monitor that was moved"
    : "what was moved evaluates nothing";
}

function parityNext(
  migration: Migration,
  parity: readonly ParityPair[],
  { moved }: MonitorPairs,
  wasRun: boolean,
): readonly string[] {
  const { name, target } = migration.plan;
  if (parity.length === 0) return moved === 0 ? [`ferry apply ${name}`] : [];
  // Monitors of the source are run by nobody but their schedules, and people.
  const hasNotRun = parity.some(
    ({ outcome, reason }) =>
      outcome === "not-comparable" && reason.includes(`it has never run at ${target.name}`),
  );
  return hasNotRun && !wasRun ? [`ferry parity ${name} --run`] : [];
}

/** `sync --parity`: whether what was moved says the same, where the run came to its end. What was done is told in any case. */
export async function thenParity(
  migration: Migration,
  applied: Result,
  options: ParityPlanOptions = {},
): Promise<Result> {
  const ended: readonly ExitCode[] = [exitCodes.done, exitCodes.partial, exitCodes.expectation];
  if (!ended.includes(applied.exitCode)) return applied;
  const after = new AfterWrites();
  const found = await compared(migration, options, after);
  const next = found?.next ?? [`ferry parity ${migration.plan.name}${options.run === true ? " --run" : ""}`];
  return after.onto({
    ...applied,
    exitCode: found === undefined ? applied.exitCode : worse(applied.exitCode, found.exitCode),
    ...(found === undefined ? {} : { parity: found.parity ?? [] }),
    diagnostics: [...applied.diagnostics, ...(found?.diagnostics ?? [])],
    headline: [applied.headline, found?.headline].filter((line) => line !== undefined).join(" "),
    next: [...(applied.next ?? []), ...next],
    requests: migration.requests(),
    durationMs: migration.durationMs,
  });
}

/** Not even a defect of the comparison may cost the report of what was written. */
async function compared(
  migration: Migration,
  options: ParityPlanOptions,
  after: AfterWrites,
): Promise<Result | undefined> {
  const said = "Whether it says the same as the original could not be found out.";
  try {
    return await after.tried(said, async () => parityPlan(migration, options));
  } catch (error) {
    after.add(said, defect(error));
    return undefined;
  }
}
