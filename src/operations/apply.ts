import { applyChanges } from "../engine/apply/index.ts";
import type { Applied } from "../engine/apply/index.ts";
import type { Recorder } from "../engine/apply/recorder.ts";
import type { WantsFinished } from "../engine/settle/leftovers.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import type { Diff } from "../engine/diff/index.ts";
import { withoutLeave } from "../engine/diff/make-room.ts";
import { ReadBack } from "../engine/prove/read-back.ts";
import { marksOf } from "../engine/read/source-marks.ts";
import type { TargetReading, TargetState } from "../engine/read/target.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RunRecord } from "../model/journal.ts";
import type { ExitCode, Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { uuidOf } from "../model/urn.ts";
import type { SnapshotReader } from "../store/index.ts";
import { AfterWrites, thenEnd, unordered } from "./after-writes.ts";
import type { DiffFile } from "./approved-file.ts";
import { diffDigest, diffFileOf, readDiffFile } from "./approved-file.ts";
import { approvedSource } from "./approved-source.ts";
import type { Asked } from "./before-finishing.ts";
import { approvedToFinish, askBefore, wasAsked } from "./before-finishing.ts";
import { rememberNotOffered } from "./capabilities.ts";
import type { Sides } from "./compare.ts";
import { compareTold, readSides, readTargetFor } from "./compare.ts";
import { checkDeletes, checkMostDeleted, checkMostRowsDeleted } from "./check-deletes.ts";
import { forgetDecided } from "./decide.ts";
import { detailedOf, onceMade } from "./detailed.ts";
import { close, doubtFindings } from "./diff.ts";
import type { FailOn } from "./ending.ts";
import { doubtsOf, exitCodeOf, headline, isProvable, nextSteps } from "./ending.ts";
import { KeptTrees } from "./kept-trees.ts";
import { settleLeft } from "./leftovers.ts";
import { letGoOfGone } from "./let-go.ts";
import { unlessAsBefore } from "./look/index.ts";
import type { Migration } from "./migration.ts";
import { notConfirmed } from "./not-confirmed.ts";
import type { PlannedFlowsOptions } from "./planned-flows.ts";
import { flowsOfPlan, followsOf, PlannedFlows } from "./planned-flows.ts";
import { Rows } from "./records/index.ts";
import { approvedBefore, requireApproved } from "./require-approved.ts";
import { countOf, doneOf, resultOf } from "./result.ts";
import type { RunJournal } from "./run.ts";
import { beginRun, interrupted, recorderFor, settlerFor } from "./run.ts";
import { archiveRuns } from "./runs.ts";
import type { WritingState } from "./state.ts";
import { saveMapping, tailCut, writing } from "./state.ts";
import type { Proof } from "./verify.ts";
import { proveRun } from "./verify.ts";

export interface ApplyPlanOptions extends PlannedFlowsOptions {
  readonly command?: string;
  /** An approved diff: exactly that is done, or nothing. */
  readonly diff?: string;
  readonly snapshot?: string;
  readonly allowDelete?: boolean;
  /** More deletes than this and nothing at all is done. */
  readonly maxDeletes?: number;
  /** Asked once, before the first write. */
  readonly confirm: (diff: Diff) => Promise<boolean>;
  readonly failOn?: FailOn | undefined;
  /** Read everything back afterwards and prove that nothing is left. */
  readonly verify?: boolean;
}

/** Does what the diff says; continues an interrupted run by itself. */
export async function applyPlan(migration: Migration, options: ApplyPlanOptions): Promise<Result> {
  // A full disk or a read-only folder is found out before the first write to the target.
  await migration.store.work.prepare();
  return writing(migration, async (run, state) => {
    const rows = new Rows(migration);
    const end = async (): Promise<void> => rows.end(state.lease, run);
    const whole = async (): Promise<Result> => new ApplyRun(migration, options, run, state, rows).go();
    return thenEnd(async () => unlessAsBefore(migration, state, options, whole), end);
  });
}

class ApplyRun {
  readonly #migration: Migration;
  readonly #options: ApplyPlanOptions;
  readonly #run: string;
  readonly #state: WritingState;
  readonly #rows: Rows;
  readonly #diagnostics: Diagnostic[] = [];
  /** So many objects of an interrupted run were published, and whether rows of one were brought to their end. */
  #finished = 0;
  #hasResumedRows = false;
  /** What earlier runs have left in the journal was put away under the name of this one, whether it wrote or not. */
  #isArchived = false;
  #asked: Asked | undefined;
  #writesBefore = 0;

  constructor(migration: Migration, options: ApplyPlanOptions, run: string, state: WritingState, rows: Rows) {
    this.#rows = rows;
    this.#migration = migration;
    this.#options = options;
    this.#run = run;
    this.#state = state;
  }

  async go(): Promise<Result> {
    const migration = this.#migration;
    const approved = await this.#readApproved();
    // Before a flow is started, or the target is read: what does not fit ends here.
    const bound = approved && (await approvedSource(this.#migration, approved.file, this.#options));
    const planned = await flowsOfPlan(migration);
    const journal = this.#journal({
      ...(approved === undefined ? {} : { diff: approved.digest }),
      ...followsOf(planned),
    });
    const recorder = recorderFor(migration, this.#run, journal, this.#state.mapping);
    const flows = new PlannedFlows(migration, this.#state, recorder, planned, this.#options);
    await flows.before();
    // A flow that is started is no change of ours.
    this.#writesBefore = migration.requests().target.writes;
    const sides = await this.#read(bound);
    migration.recording.compares();
    const { source } = sides;
    let { target } = sides;
    this.#diagnostics.push(...tailCut(this.#state));
    if (approved === undefined) this.#diagnostics.push(...approvedBefore(this.#state, migration.plan.name));
    const leftovers = await settleLeft(
      { migration, state: this.#state, recorder, run: this.#run },
      { source, target },
      async () =>
        approved === undefined
          ? this.#askBefore(source, target)
          : approvedToFinish(migration, this.#state, approved),
    );
    this.#diagnostics.push(...leftovers.diagnostics);
    this.#finished = leftovers.finished;
    await this.#rows.open(true);
    const allowDelete = this.#options.allowDelete === true;
    const mine = { lease: this.#state.lease, run: this.#run, journal, allowDelete };
    // What a killed run has begun to delete counts before it goes on.
    this.#checkDeletes(await this.#rows.openDeletions());
    this.#hasResumedRows = await this.#rows.resume(mine, approved === undefined);
    const now = await leftovers.lookAgain(target);
    const compared = await compareTold(migration, source, now, this.#state.mapping, migration.target(), {
      ...leftovers.open,
      index: sides.index?.take(),
      detailed: detailedOf(approved?.file),
    });
    ({ target } = compared);
    await this.#rows.compare({ dry: false });
    const told = this.#rows.join(compared.diff);
    if (approved === undefined) {
      const bound = {
        snapshot: source.manifest.digest,
        target: target.snapshot.manifest.digest,
        mapping: this.#state.digest,
      };
      await migration.store.work.saveDiff(diffFileOf(migration, told, bound));
    } else {
      await requireApproved(migration, this.#state, { ...approved, ...leftovers, source }, told, target);
    }
    const settings = withoutLeave(compared.diff, allowDelete);
    const diff = this.#rows.join(settings);
    const deletes = countOf(diff.changes, ["delete"]) + this.#rows.resumedDeletions;
    this.#checkDeletes(deletes);
    if (approved === undefined) this.#checkMostDeleted(settings, deletes);
    this.#rows.refuseBad(this.#soFar);
    if (migration.stop.aborted) throw interrupted();
    const isToAsk = this.#writes(diff) > 0 && !wasAsked(this.#asked, diff);
    if (isToAsk && !(await this.#options.confirm(diff))) {
      throw notConfirmed(migration, this.#soFar);
    }

    migration.report({ type: "stage", stage: "apply", detail: migration.plan.target.name });
    const back = this.#options.verify === true ? await this.#readBack(source, target) : undefined;
    let applied: Applied;
    let proof: Proof | undefined;
    let flowCode: ExitCode | undefined;
    const after = new AfterWrites();
    try {
      const own = await this.#apply(settings, source, target, recorder, back);
      applied =
        (await after.tried("Rows could not be brought to their end.", async () =>
          this.#rows.apply(own, mine),
        )) ?? this.#rows.brokenOff(own, after.fatal);
      // Settling counts as well: what it published nobody has looked at since.
      const wroteAny = this.#wrote > 0;
      if (applied.fatal === undefined && !applied.interrupted)
        flowCode = await after.tried("Documentation flows after it did not all run.", async () =>
          flows.after(wroteAny),
        );
      else flows.skipAfter("the run did not come to its end");
      this.#diagnostics.push(...flows.diagnostics);
      const ended = applied;
      await after.tried(unordered, async () => {
        await this.#compact(journal, ended, leftovers.ask, flows);
        await rememberNotOffered(migration, ended.notOffered);
        this.#diagnostics.push(...(await letGoOfGone(migration, this.#state, source)));
      });
      const seen = { source, target, state: this.#state, diff: settings, changes: own.changes };
      if (back !== undefined && isProvable(applied))
        proof = await after.tried("It could not be verified.", async () =>
          proveRun(migration, seen, wroteAny ? back : undefined),
        );
    } finally {
      await back?.abandon();
    }
    close(source, target);
    const isOnRecord = journal.wrote || this.#isArchived;
    return after.onto(this.#result(diff, applied, leftovers.ask, proof, isOnRecord, flowCode));
  }

  get #wrote(): number {
    return this.#migration.requests().target.writes - this.#writesBefore;
  }

  async #readBack(source: SnapshotReader, target: TargetReading): Promise<ReadBack> {
    const migration = this.#migration;
    const { report, stop } = migration;
    const registry = await migration.kinds("target");
    const { mapping } = this.#state;
    const marks = marksOf(migration.plan, source);
    return new ReadBack({ client: migration.target(), registry, target, mapping, marks, report, stop });
  }

  #checkDeletes(deletes: number): void {
    checkDeletes(deletes, { ...this.#options, wrote: this.#soFar }, this.#migration.plan.name);
  }

  #checkMostDeleted({ changes }: Diff, deletes: number): void {
    const options = { ...this.#options, wrote: this.#soFar };
    checkMostDeleted(changes, this.#state.mapping, options, this.#migration.plan);
    checkMostRowsDeleted(this.#rows.toGo, deletes, options, this.#migration.plan);
  }

  /** What whoever refuses has to say of what came before. */
  get #soFar(): string {
    if (this.#finished > 0 || this.#hasResumedRows)
      return "what an interrupted run had left was brought to its end before, and nothing else was written";
    return this.#wrote === 0
      ? "nothing was written"
      : "nothing was changed, but an empty patch was sent to see the draft of a rule that an interrupted run had left in doubt";
  }

  async #readApproved(): Promise<{ file: DiffFile; digest: string; run: string } | undefined> {
    if (this.#options.diff === undefined) return undefined;
    const file = await readDiffFile(this.#migration.disk, this.#options.diff);
    return { file, digest: diffDigest(file), run: this.#run };
  }

  async #read(source: SnapshotReader | undefined): Promise<Omit<Sides, "index"> & Partial<Sides>> {
    const migration = this.#migration;
    const { mapping } = this.#state;
    if (source === undefined)
      return readSides(migration, mapping, migration.target(), this.#options.snapshot);
    return { source, target: await readTargetFor(migration, source, mapping, migration.target()) };
  }

  async #askBefore(source: SnapshotReader, target: TargetReading): Promise<WantsFinished> {
    this.#asked = await askBefore(this.#migration, { source, target }, this.#state, this.#options);
    return () => true;
  }

  #journal(more: Pick<RunRecord, "diff" | "follows">): RunJournal {
    const { command = "apply", allowDelete = false } = this.#options;
    const leave = allowDelete ? { mayDelete: true as const } : {};
    return beginRun(this.#migration, this.#state.journal, { run: this.#run, command, ...leave, ...more });
  }

  #writes(diff: Diff): number {
    const deletes = this.#options.allowDelete === true ? (["delete"] as const) : [];
    return countOf(diff.changes, ["create", "update", "replace", "adopt", ...deletes]);
  }

  async #apply(
    diff: Diff,
    source: SnapshotReader,
    target: TargetState,
    recorder: Recorder,
    watcher: ReadBack | undefined,
  ): Promise<Applied> {
    const migration = this.#migration;
    const existed = new Map<string, ReadonlySet<string>>();
    const baseline = (_run: string, kind: string): ReadonlySet<string> => {
      const known = existed.get(kind) ?? new Set(Array.from(target.snapshot.urns(kind), uuidOf));
      existed.set(kind, known);
      return known;
    };
    const kept = new KeptTrees(migration, this.#state.lease);
    const applied = await applyChanges({
      applied: kept.take,
      registry: await migration.kinds("target"),
      plan: migration.plan,
      source,
      target,
      mapping: this.#state.mapping,
      client: migration.target(),
      recorder,
      settler: await settlerFor(migration, migration.target(), this.#state.mapping, baseline),
      changes: diff.changes,
      told: diff.diagnostics,
      forgotten: [...diff.forgotten, ...diff.misplaced],
      renewed: diff.renewed,
      allowDelete: this.#options.allowDelete === true,
      concurrency: migration.plan.limits.concurrency,
      report: migration.report,
      now: migration.now,
      sleep: migration.sleep,
      stop: migration.stop,
      watcher,
    });
    this.#diagnostics.push(...(await kept.end()));
    return applied;
  }

  /** The mapping's files take over what the journal holds; what is in doubt or interrupted keeps the journal. */
  async #compact(
    journal: RunJournal,
    applied: Applied,
    ask: readonly Doubt[],
    flows: PlannedFlows,
  ): Promise<void> {
    const { journal: file, replayed } = this.#state;
    const ended = applied.fatal === undefined && !applied.interrupted;
    if (journal.wrote && ended) {
      const exitCode = exitCodeOf(
        applied,
        doubtsOf(applied, ask),
        true,
        this.#state.mapping.hasUnfinished || this.#rows.isLeftBehind,
        this.#options.failOn,
      );
      await journal.append({
        type: "end",
        run: this.#run,
        at: new Date(this.#migration.now()).toISOString(),
        exitCode,
        ...flows.owed,
      });
    }
    await saveMapping(this.#migration, this.#state);
    await forgetDecided(this.#migration, this.#state, applied.changes);
    // A run that did not come to its end stays in the journal: status tells of it, and the next run takes it over.
    const clean = ended && applied.inDoubt === 0 && ask.length === 0 && !flows.isOpen;
    const isKept = journal.wrote || replayed.runs.length > 0;
    if (!clean || (!isKept && replayed.owed.length + replayed.untold.length === 0)) return;
    const runs = [...replayed.runs, { plan: this.#migration.plan.name, run: this.#run }];
    this.#isArchived = isKept;
    if (isKept) this.#diagnostics.push(...(await archiveRuns(this.#migration, this.#state.lease, runs)));
    await file.restart(flows.owedToOthers);
  }

  #result(
    diff: Diff,
    applied: Applied,
    ask: readonly Doubt[],
    proof: Proof | undefined,
    isOnRecord: boolean,
    flowCode: ExitCode | undefined,
  ): Result {
    const migration = this.#migration;
    this.#diagnostics.push(...doubtFindings(ask, migration.plan.name, this.#options.command));
    const { changes } = applied;
    const doubts = doubtsOf(applied, ask);
    const ownCode = exitCodeOf(
      applied,
      doubts,
      proof?.clean ?? true,
      this.#state.mapping.hasUnfinished || this.#rows.isLeftBehind,
      this.#options.failOn,
    );
    // What the run itself came to goes before what a flow after it came to.
    const isWell = ownCode === exitCodes.done || ownCode === exitCodes.partial;
    const exitCode = isWell && flowCode !== undefined ? flowCode : ownCode;
    const said = headline({
      code: ownCode,
      done: doneOf(changes),
      applied,
      proof: proof && this.#rows.isLeftBehind ? { ...proof, left: proof.left + 1 } : proof,
      target: migration.plan.target.name,
      finished: this.#finished,
      allowDelete: this.#options.allowDelete === true,
    });
    const result = resultOf(migration, {
      command: this.#options.command ?? "apply",
      exitCode,
      changes,
      // Links between rules and terms show only after the terms were assigned: the proof's word is the later one.
      diagnostics: [
        ...onceMade(diff.diagnostics).filter(
          // What was about to happen has happened: the consequences tell it as it was.
          ({ code }) => code !== "schedules-start" && (proof === undefined || code !== "link-term-rule"),
        ),
        ...this.#diagnostics,
        ...applied.diagnostics,
        ...(proof?.diagnostics ?? []),
      ],
      writes: { allowDelete: this.#options.allowDelete === true },
      headline: exitCode === ownCode ? said : `${said} A documentation flow after it did not finish.`,
      next: nextSteps(migration, exitCode, changes, this.#options),
      ...(isOnRecord ? { run: this.#run } : {}),
    });
    return { ...result, summary: { ...result.summary, inDoubt: doubts.all } };
  }
}
