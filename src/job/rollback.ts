import type { Deed } from "../engine/apply/undo.ts";
import { asNew, Deeds, undoPatch } from "../engine/apply/undo.ts";
import { Recorder } from "../engine/apply/recorder.ts";
import { EngineError } from "../engine/progress.ts";
import type { MovedKind, Step, StepItem } from "../kinds/kind.ts";
import { troubleOf } from "../kinds/trouble.ts";
import { fingerprint } from "../model/canonical.ts";
import type { Action, AppliedChange, Outcome } from "../model/change.ts";
import type { JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { MappingEntry } from "../model/mapping.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { strip } from "../model/shape.ts";
import { uuidOf } from "../model/urn.ts";
import { archiveJournal, ensureWritableFolder, readJournal } from "../store/index.ts";
import type { Job } from "./job.ts";
import { plural, resultOf } from "./result.ts";
import { locked, newRunId, RunJournal } from "./run.ts";
import { archivedRuns } from "./runs.ts";
import type { Standing } from "./standing.ts";
import { readStanding } from "./standing.ts";
import { openState, saveMapping } from "./state.ts";

export interface RollbackOptions {
  /** The last run when absent. */
  readonly run?: string | undefined;
  readonly confirm: (planned: readonly AppliedChange[]) => Promise<boolean>;
}

interface Planned {
  readonly deed: Deed;
  readonly kind: MovedKind;
  readonly change: AppliedChange;
  /** Sent in this order; absent when it cannot be taken back. */
  readonly steps?: readonly { readonly step: Step; readonly item: StepItem }[];
  readonly entry?: MappingEntry | null;
}

/** Takes back what a run created or changed, newest first, and leaves what was touched since. */
export async function rollbackJob(job: Job, options: RollbackOptions): Promise<Result> {
  await ensureWritableFolder(job.paths.mapping);
  await ensureWritableFolder(job.paths.runs);
  const run = newRunId(job.now());
  return locked(job, run, async () => {
    const state = await openState(job);
    try {
      if (state.replayed.doubts.length > 0) {
        throw new EngineError(
          "in-doubt",
          "an earlier run left operations in doubt",
          `Settle them first: ferry apply ${job.plan.name}`,
        );
      }
      await keepInterrupted(job, state);
      const { undone, deeds } = await deedsOf(job, options.run);
      const standing = await readStanding(job, deeds);
      const planned = deeds.flatMap((deed) => plan(job, deed, standing, state.mapping.get(deed.source)));
      const existing = new Map([...standing.urns].map(([kind, urns]) => [kind, urns.map(uuidOf)]));
      const possible = planned.filter(({ steps }) => steps !== undefined).length;
      if (possible > 0 && !(await options.confirm(planned.map(({ change }) => change)))) {
        throw new EngineError("not-confirmed", "not confirmed; nothing was written");
      }
      const journal = new RunJournal(state.journal, {
        type: "run",
        run,
        at: new Date(job.now()).toISOString(),
        command: "rollback",
        plan: job.plan.name,
        tool: job.tool,
        parties: job.parties,
      });
      const recorder = new Recorder({
        run,
        journal,
        mapping: state.mapping,
        now: () => new Date(job.now()),
        hooks: job.hooks,
      });
      // A create whose answer is lost is settled by the next apply, which subtracts what existed before.
      for (const kind of new Set(planned.filter(creates).map((item) => item.kind.name))) {
        await recorder.baseline(kind, existing.get(kind) ?? []);
      }
      const changes: AppliedChange[] = [];
      for (const item of planned) {
        if (job.stop.aborted) changes.push({ ...item.change, outcome: "not-started" });
        else changes.push(await carryOut(job, recorder, item));
      }
      await saveMapping(state.store, state.mapping);
      const inDoubt = changes.filter((change) => change.outcome === "in-doubt").length;
      if (journal.wrote && inDoubt === 0) {
        await archiveJournal(job.paths.journal, job.paths.runs, run);
        await state.journal.restart();
      }
      const done = changes.filter((change) => change.outcome === "done").length;
      const left = changes.length - done;
      return resultOf(job, {
        command: "rollback",
        exitCode:
          inDoubt > 0
            ? exitCodes.inDoubt
            : job.stop.aborted && left > 0
              ? exitCodes.interrupted
              : left > 0
                ? exitCodes.partial
                : exitCodes.done,
        changes,
        headline: `Run ${undone}: ${plural(done, "deed")} taken back, ${left} left as they are.`,
        next: [`ferry diff ${job.plan.name}`],
        run,
      });
    } finally {
      await state.journal.close();
    }
  });
}

/** An interrupted run goes on record like one that ended, so that it can be taken back too. */
async function keepInterrupted(job: Job, state: Awaited<ReturnType<typeof openState>>): Promise<void> {
  const last = state.replayed.runs.at(-1);
  if (last === undefined) return;
  await saveMapping(state.store, state.mapping);
  await archiveJournal(job.paths.journal, job.paths.runs, last.run);
  await state.journal.restart();
}

/** Without a name: the last run that was not a rollback itself. */
async function deedsOf(
  job: Job,
  wanted: string | undefined,
): Promise<{ undone: string; deeds: readonly Deed[] }> {
  const runs = await archivedRuns(job);
  const names = runs.map(({ run }) => run);
  for (const { run, path } of runs.toReversed()) {
    if (wanted !== undefined && run !== wanted) continue;
    const deeds = new Deeds();
    let command = "";
    for await (const record of readJournal(path, { parties: job.parties })) {
      if (record.type === "run") ({ command } = record);
      deeds.feed(record);
    }
    if (wanted !== undefined || command !== "rollback") return { undone: run, deeds: deeds.newestFirst() };
  }
  const known =
    names.length === 0 ? "No run of this plan is on record here." : `Runs: ${names.slice(-10).join(", ")}.`;
  throw new EngineError(
    "selection",
    wanted === undefined ? "there is no run to take back" : `there is no run ${wanted}`,
    known,
  );
}

function plan(job: Job, deed: Deed, standing: Standing, entry: MappingEntry | undefined): readonly Planned[] {
  const kind = job.registry.moved().find((moved) => moved.name === deed.kind);
  if (kind === undefined) return [];
  const body = standing.body(kind.name, deed.target);
  const now = body === undefined ? undefined : fingerprint(strip(body, kind.shape), kind.shape);
  const manual = (reason: string): readonly Planned[] => [
    { deed, kind, change: describe(deed, "manual", reason) },
  ];
  const { source, name, target: urn } = deed;
  const whole = body ?? {};

  if (deed.what === "deleted") {
    if (kind.mode !== "entity") return manual("it cannot be created again");
    if (body !== undefined) return [];
    if (!isObject(deed.intent.undo))
      return manual("what it was is not on record: `ferry apply` makes it anew");
    const fresh = asNew(deed.intent.undo) as JsonObject;
    const steps = kind.create.map((step) => ({
      step,
      item: { source, name, body: step.name === "create" ? fresh : {}, whole: fresh },
    }));
    return [
      {
        deed,
        kind,
        change: describe(deed, "create", "the run deleted it; it is created again under a new URN"),
        steps,
      },
    ];
  }
  if (body === undefined) return deed.what === "created" ? [] : manual("it is gone at the target");
  if (deed.left !== undefined && now !== deed.left)
    return manual("it was changed at the target since, and is left as it is");
  if (deed.what === "created") {
    if (kind.mode !== "entity" || kind.remove === undefined) {
      return manual("the service offers no way to delete one: remove it in the web application");
    }
    const steps = [{ step: kind.remove, item: { source, name, target: urn, body: {}, whole } }];
    return [{ deed, kind, change: describe(deed, "delete", "the run created it"), steps, entry: null }];
  }
  if (deed.what === "assigned" || kind.update === undefined || !isObject(deed.intent.undo)) {
    return manual("the service offers no way to take it back: do it in the web application");
  }
  const patch = undoPatch(deed.intent.undo, deed.keys);
  const steps = kind.update.map((step) => ({
    step,
    item: { source, name, target: urn, body: step.name === "patch" ? patch : {}, whole },
  }));
  const before = deed.intent.before;
  // Without a fingerprint of the source the next diff compares it afresh.
  const { sourceFingerprint: _source, ...rest } = entry ?? { name, target: urn, origin: "explicit" as const };
  const restored: MappingEntry = { ...rest, ...(before === undefined ? {} : { targetFingerprint: before }) };
  return [
    {
      deed,
      kind,
      change: describe(deed, "update", "the run changed it"),
      steps,
      entry: kind.mode === "entity" ? restored : null,
    },
  ];
}

async function carryOut(
  job: Job,
  recorder: Recorder,
  { deed, kind, change, steps, entry }: Planned,
): Promise<AppliedChange> {
  if (steps === undefined) return change;
  let { target } = deed;
  for (const { step, item } of steps) {
    const intent = await recorder.intent(kind.name, step.name, [
      {
        source: deed.source,
        name: deed.name,
        target,
        ...(step.name === "create"
          ? { body: item.body, fingerprint: fingerprint(item.body, kind.shape) }
          : {}),
      },
    ]);
    try {
      const [answer] = await step.send(job.target(), [{ ...item, target }]);
      if (answer?.state !== "done") {
        const doubt = answer === undefined || answer.state === "unknown";
        const reason = answer?.reason ?? "no answer";
        await recorder.outcome(kind.name, intent.op, [
          { source: deed.source, result: doubt ? "doubt" : "not-done", reason },
        ]);
        return ended(change, doubt ? "in-doubt" : "failed", reason);
      }
      target = answer.target ?? target;
      const last = step === steps.at(-1)?.step;
      const created: MappingEntry = { name: deed.name, target, origin: "created", run: recorder.run };
      const row = entry === undefined ? created : last ? entry : (entry ?? created);
      await recorder.outcome(kind.name, intent.op, [
        { source: deed.source, result: "done", target, entry: row },
      ]);
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) throw error;
      const result = trouble.state === "unknown" ? ("doubt" as const) : ("not-done" as const);
      await recorder.outcome(kind.name, intent.op, [{ source: deed.source, result, reason: trouble.reason }]);
      if (trouble.fatal !== undefined) throw error;
      return ended(change, result === "doubt" ? "in-doubt" : "failed", trouble.reason);
    }
  }
  job.report({
    type: "applied",
    kind: kind.name,
    name: deed.name,
    source: deed.source,
    step: "rollback",
    state: "done",
  });
  return { ...change, outcome: "done" };
}

function creates({ steps }: Planned): boolean {
  return steps?.some(({ step }) => step.name === "create") === true;
}

function ended(change: AppliedChange, outcome: Outcome, summary: string): AppliedChange {
  return {
    ...change,
    outcome,
    diagnostics: [...change.diagnostics, { severity: "error", code: outcome, summary }],
  };
}

function describe(deed: Deed, action: Action, reason: string): AppliedChange {
  return {
    id: `${deed.kind}:${deed.source}`,
    action,
    kind: deed.kind,
    source: { urn: deed.source, name: deed.name },
    target: { urn: deed.target, name: deed.name },
    reason,
    fields: [],
    diagnostics: [],
    dependsOn: [],
  };
}
