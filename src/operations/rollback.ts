import type { Carried } from "../engine/apply/index.ts";
import { carryOut, withOutcome } from "../engine/apply/index.ts";
import { stoodAt } from "../engine/apply/contradictions.ts";
import type { Recorder } from "../engine/apply/recorder.ts";
import { finishUnfinished, settleLeftovers } from "../engine/settle/leftovers.ts";
import type { Settler } from "../engine/settle/settler.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import { EngineError } from "../engine/progress.ts";
import type { TargetState } from "../engine/read/target.ts";
import type { AppliedChange, Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JournalRecord } from "../model/journal.ts";
import { keyText } from "../model/key.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { uuidOf } from "../model/urn.ts";
import { plural } from "../model/plural.ts";
import type { AbandonedList } from "../store/index.ts";
import { AfterWrites, thenEnd } from "./after-writes.ts";
import { doubtLine } from "./diff.ts";
import { needsPerson } from "./doubts.ts";
import type { Migration } from "./migration.ts";
import { notConfirmed } from "./not-confirmed.ts";
import { runsOfRollbacks } from "./leftovers.ts";
import type { RowsWriting } from "./records/back.ts";
import { RowsBack } from "./records/back.ts";
import { countOf, resultOf, sizeOf } from "./result.ts";
import type { Undone } from "./rollback-deeds.ts";
import {
  currentRuns,
  deedsOf,
  describeRun,
  fullName,
  refuseDoubts,
  runDetails,
  saidOf,
  sourcesOf,
} from "./rollback-deeds.ts";
import { endOf, nothingLeft } from "./rollback-ending.ts";
import type { Looked } from "./rollback-look.ts";
import { look } from "./rollback-look.ts";
import type { Planned } from "../engine/undo/plan.ts";
import { isPossible, notBegun, shown, withPending } from "../engine/undo/plan.ts";
import { RollbackTasks } from "../engine/undo/tasks.ts";
import { forgetGone } from "../engine/undo/with-it.ts";
import type { RunJournal } from "./run.ts";
import { openStart } from "./service-runs.ts";
import { beginRun, recorderFor, settlerFor } from "./run.ts";
import { owedToOthers } from "./owed-flows.ts";
import { archiveRuns } from "./runs.ts";
import { readStanding } from "./standing.ts";
import type { WritingState } from "./state.ts";
import { readState, saveMapping, writing } from "./state.ts";

export interface RollbackOptions {
  /** The last run when absent. */
  readonly run?: string | undefined;
  /** What the run created is deleted; otherwise it stays and is named. */
  readonly allowDelete?: boolean;
  /** `run` says which run is meant: a person sees it before the answer. */
  readonly confirm: (planned: readonly AppliedChange[], run: string) => Promise<boolean>;
}

/** Dry run: what a rollback would do and leave, and why. Takes no lock; the client it uses has no write methods. */
export async function previewRollback(
  migration: Migration,
  options: Pick<RollbackOptions, "run"> = {},
): Promise<Result> {
  const state = await readState(migration);
  refuseDoubts(migration.plan.name, state.replayed);
  const undone = await deedsOf(migration, options.run, state);
  const rows = new RowsBack(migration, true);
  await rows.look(undone.tables, migration.targetReads());
  const { planned } = await look(migration, undone, state, {
    client: migration.targetReads(),
    finished: false,
    allowDelete: true,
    abandoned: await migration.store.state.abandoned(),
  });
  const changes = [...rows.changes, ...shown(planned)];
  // Told again by whoever takes the run back: a look takes nothing off the record.
  const diagnostics = rows.notes;
  if (changes.length === 0) {
    const nothing = await nothingLeft(migration, undone, options.run, currentRuns(migration, state));
    return { ...nothing, diagnostics: [...nothing.diagnostics, ...diagnostics] };
  }
  const possible = planned.filter(isPossible).length + countOf(rows.changes, ["create", "update", "delete"]);
  const deletes = countOf(changes, ["delete"]) > 0;
  const left = sizeOf(changes) - possible;
  return resultOf(migration, {
    command: "rollback",
    exitCode: exitCodes.done,
    changes,
    diagnostics,
    headline: `${describeRun(undone)}: ${plural(possible, "object")} would be taken back${deletes ? " under --allow-delete" : ""}, ${left} left. Nothing was written.`,
    next:
      possible === 0
        ? []
        : [`ferry rollback ${migration.plan.name} --run ${undone.run}${deletes ? " --allow-delete" : ""}`],
    details: { run: runDetails(undone) },
  });
}

/** Sends nothing and takes no lock. Throws EngineError where there is no such run of this plan. */
export async function requireRun(migration: Migration, run: string): Promise<void> {
  await deedsOf(migration, run, await readState(migration));
}

/** Takes back what a run created or changed, newest first, and leaves what was touched since. */
export async function rollbackRun(migration: Migration, options: RollbackOptions): Promise<Result> {
  await migration.store.work.prepare();
  return writing(migration, async (run, state) => {
    const rows = new RowsBack(migration, options.allowDelete === true);
    const abandoned = await migration.store.state.abandoned();
    const meant = { ...options, run: await fullName(migration, options.run, currentRuns(migration, state)) };
    // The logs of rows are closed whatever happens.
    return thenEnd(
      async () => new Rollback(migration, meant, run, { ...state, rows }, abandoned).go(),
      async () => rows.end(state.lease, run),
    );
  });
}

class Rollback {
  readonly #migration: Migration;
  readonly #options: RollbackOptions;
  readonly #run: string;
  readonly #state: WritingState;
  readonly #rows: RowsBack;
  readonly #abandoned: AbandonedList;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #after = new AfterWrites();
  /** By kind, what stood at the target before the first create: settling subtracts it. */
  readonly #baselines = new Map<string, ReadonlySet<string>>();
  /** One for all: it numbers the operations. */
  readonly #recorder: Recorder;
  #settling: Promise<Settler> | undefined;
  #journal: RunJournal;

  constructor(
    migration: Migration,
    options: RollbackOptions,
    run: string,
    { rows, ...state }: WritingState & { readonly rows: RowsBack },
    abandoned: AbandonedList,
  ) {
    this.#rows = rows;
    this.#migration = migration;
    this.#options = options;
    this.#run = run;
    this.#state = state;
    this.#abandoned = abandoned;
    this.#journal = this.#begin();
    const journal = { append: async (record: JournalRecord): Promise<void> => this.#journal.append(record) };
    this.#recorder = recorderFor(migration, run, journal, state.mapping);
  }

  async go(): Promise<Result> {
    await this.#settle();
    const undone = await deedsOf(this.#migration, this.#options.run, this.#state);
    let looked = await this.#look(undone, false);
    const { planned } = looked;
    await this.#rows.look(undone.tables, this.#migration.target(), this.#writing);
    this.#diagnostics.push(...this.#rows.notes);
    const all = [...this.#rows.changes, ...shown(planned)];
    const isWork = planned.some(isPossible) || this.#rows.isPossible;
    if (isWork && !(await this.#options.confirm(all, describeRun(undone)))) {
      throw notConfirmed(this.#migration, "nothing was written");
    }
    await this.#keepEarlier();
    await this.#rows.takeBack(this.#writing);
    if (!this.#rows.stop.aborted && planned.some(({ pending }) => pending === true)) {
      const { standing } = looked;
      const again = await this.#after.tried("Nothing of the configuration was taken back.", async () => {
        await this.#finish(planned, standing);
        return this.#look(undone, true);
      });
      if (again === undefined) return this.#broken(undone, planned);
      looked = again;
    }
    return this.#after.onto(await this.#takeBack(undone, looked));
  }

  /** Rows were taken back, or drafts published, and then it could not go on. */
  #broken(undone: Undone, planned: readonly Planned[]): Result {
    const changes: readonly AppliedChange[] = [...this.#rows.ended, ...shown(notBegun(planned))];
    const carried = {
      unsettled: new Set<string>(),
      notOffered: new Set<string>(),
      diagnostics: [],
      asked: 0,
    };
    const told = { diagnostics: this.#diagnostics, allowDelete: this.#options.allowDelete === true };
    const ended = (fatal: Carried["fatal"]): Result =>
      endOf(this.#migration, undone, changes, this.#rows.join({ ...carried, fatal }), told);
    // What ended it has a code of its own, which comes on top of what the rest has come to.
    const { exitCode } = ended(undefined);
    return this.#after.onto({ ...ended(this.#after.fatal), exitCode, run: this.#run });
  }

  get #writing(): RowsWriting {
    return { lease: this.#state.lease, run: this.#run, journal: this.#journal };
  }

  /** As an apply begins: whatever an earlier run left in doubt is settled before anything is planned. */
  async #settle(): Promise<void> {
    const migration = this.#migration;
    const { doubts, starts } = this.#state.replayed;
    const open = openStart(migration, starts);
    if (open !== undefined) throw open;
    if (doubts.length === 0) return;
    await (await this.#settler()).arrivals(doubts);
    const standing = await readStanding(
      migration,
      new Set(doubts.map(({ kind }) => kind)),
      migration.target(),
      sourcesOf(
        this.#state,
        doubts.map(({ kind, item: { source, target } }) => ({ kind, source, target })),
      ),
    );
    migration.report({ type: "stage", stage: "settle", detail: plural(doubts.length, "operation") });
    const { ask, diagnostics } = await settleLeftovers(doubts, await this.#recovery(standing));
    standing.snapshot.close();
    this.#diagnostics.push(...diagnostics);
    this.#refuseOpen(ask, "an earlier run left", "nothing was taken back");
  }

  /** What is in doubt says what there is to take back. */
  #refuseOpen(ask: readonly Doubt[], who: string, what: string): void {
    const [first] = ask;
    if (first === undefined) return;
    const asked = ask.find(needsPerson);
    throw new EngineError(
      asked === undefined ? "interrupted" : "in-doubt",
      `${who} ${plural(ask.length, "operation")} in doubt, and ${what}: ${doubtLine(asked ?? first)}`,
      asked === undefined
        ? "Run the same command again: that settles it."
        : `Decide: ferry resolve ${this.#migration.plan.name}`,
    );
  }

  /** An interrupted run goes on record like one that ended, so that it can be taken back again. */
  async #keepEarlier(): Promise<void> {
    const { replayed, journal } = this.#state;
    if (replayed.runs.length === 0) return;
    await saveMapping(this.#migration, this.#state);
    this.#diagnostics.push(...(await archiveRuns(this.#migration, this.#state.lease, replayed.runs)));
    // What was found out about rows is told at the end, and this may be killed before.
    const untold = [...replayed.untold, ...this.#rows.noted];
    await journal.restart([...owedToOthers(this.#migration, replayed), ...untold]);
    this.#journal = this.#begin();
  }

  /** Drafts that the run left of what it changed: what they hold is known then, and can be taken back. Those of others stay. */
  async #finish(planned: readonly Planned[], standing: TargetState): Promise<void> {
    const pending = planned.filter((item) => item.pending === true);
    const keys = new Set(pending.map(({ deed: { kind, source } }) => keyText(kind, source)));
    const { done, ask } = await finishUnfinished(await this.#recovery(standing), ({ name }, source) =>
      keys.has(keyText(name, source)),
    );
    if (done.length > 0) await saveMapping(this.#migration, this.#state);
    this.#refuseOpen(ask, "the publish of what the run had left as a draft left", "no object was taken back");
  }

  async #look(undone: Undone, finished: boolean): Promise<Looked> {
    const allowDelete = this.#options.allowDelete === true;
    return look(this.#migration, undone, this.#state, {
      client: this.#migration.target(),
      finished,
      allowDelete,
      abandoned: this.#abandoned,
      run: this.#run,
    });
  }

  async #takeBack(undone: Undone, { planned, standing, returning }: Looked): Promise<Result> {
    const migration = this.#migration;
    const [{ mapping }, recorder] = [this.#state, this.#recorder];
    const registry = await migration.kinds("target");
    const work = new RollbackTasks(planned, { standing, mapping, returning, registry, now: migration.now });
    for (const { kind, reverse } of planned) {
      if (reverse?.what !== "create" || this.#baselines.has(kind.name)) continue;
      const uuids = Array.from(standing.snapshot.urns(kind.name), uuidOf);
      this.#baselines.set(kind.name, new Set(uuids));
      await recorder.baseline(kind.name, uuids);
    }
    for (const { kind, deed, entry, goesWith } of planned)
      if (entry !== undefined && goesWith === undefined) await recorder.entry(kind.name, deed.source, entry);
    migration.report({ type: "stage", stage: "roll back", detail: migration.plan.target.name });
    const went = await carryOut({
      tasks: work.tasks,
      stood: stoodAt(standing, migration.plan.target.realm),
      build: work.build,
      entryAfter: work.entryAfter,
      client: migration.target(),
      mapping,
      recorder,
      settler: await this.#settler(),
      concurrency: migration.plan.limits.concurrency,
      report: migration.report,
      now: migration.now,
      stop: this.#rows.stop,
    });
    await forgetGone(planned, work.tasks, recorder);
    const carried = this.#rows.join(went);
    standing.snapshot.close();
    const allowDelete = this.#options.allowDelete === true;
    const ended = (change: Change): AppliedChange =>
      withOutcome(change, work.tasks, { ...carried, allowDelete, mapping, plan: migration.plan });
    const changes = [...this.#rows.ended, ...shown(withPending(planned)).map(ended)];
    const told = { diagnostics: this.#diagnostics, allowDelete };
    const result = endOf(migration, undone, changes, carried, told);
    await this.#after.tried(
      "What was taken back could not be put in order; the journal has it.",
      async () => {
        await saveMapping(this.#migration, this.#state);
        await this.#close(result, carried);
      },
    );
    if (changes.length > 0 || result.exitCode !== exitCodes.done) return { ...result, run: this.#run };
    const nothing = await nothingLeft(migration, undone, this.#options.run, []);
    return { ...nothing, run: this.#run, diagnostics: result.diagnostics };
  }

  /** What is in doubt or was interrupted stays in the journal: status tells of it. */
  async #close({ exitCode, summary }: Result, { fatal }: Carried): Promise<void> {
    const migration = this.#migration;
    if (fatal !== undefined || exitCode === exitCodes.interrupted) return;
    const { journal, lease, replayed } = this.#state;
    if (this.#journal.wrote) {
      const at = new Date(migration.now()).toISOString();
      await this.#journal.append({ type: "end", run: this.#run, at, exitCode });
      if (summary.inDoubt > 0) return;
      await migration.store.state.archive(lease, [{ plan: migration.plan.name, run: this.#run }]);
    } else if (replayed.untold.length + this.#rows.noted.length === 0) return;
    await journal.restart(owedToOthers(migration, replayed));
  }

  #begin(): RunJournal {
    const record = { run: this.#run, command: "rollback", ...saidOf(this.#options) };
    return beginRun(this.#migration, this.#state.journal, record);
  }

  /** One for all: what an earlier process lost is waited for once. */
  async #settler(): Promise<Settler> {
    const { mapping, replayed } = this.#state;
    this.#settling ??= settlerFor(this.#migration, this.#migration.target(), mapping, (run, kind) =>
      run === this.#run ? this.#baselines.get(kind) : replayed.baselines.get(run)?.get(kind),
    );
    return this.#settling;
  }

  async #recovery(target: TargetState): Promise<Parameters<typeof settleLeftovers>[1]> {
    const { report } = this.#migration;
    const registry = await this.#migration.kinds("target");
    const { mapping, replayed } = this.#state;
    const [recorder, settler] = [this.#recorder, await this.#settler()];
    return {
      client: this.#migration.target(),
      registry,
      mapping,
      recorder,
      settler,
      target,
      report,
      abandoned: this.#abandoned,
      rollbacks: runsOfRollbacks(replayed),
    };
  }
}
