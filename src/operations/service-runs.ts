import { EngineError } from "../engine/progress.ts";
import type { Cancelled, Ended, Start } from "../engine/runs/runner.ts";
import { Runner } from "../engine/runs/runner.ts";
import type { Recorder } from "../engine/apply/recorder.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import type { ActionKind } from "../kinds/kind.ts";
import { troubleOf } from "../kinds/trouble.ts";
import type { ExitCode } from "../model/result.ts";
import type { ReadClient } from "../service/index.ts";
import { onlyStart } from "../model/journal.ts";
import type { Migration } from "./migration.ts";
import type { RunJournal } from "./run.ts";
import type { WritingState } from "./state.ts";

export const flowKind = "documentation-flows";
export const evaluationKind = "evaluation-runs";

export interface ServiceRunsOptions {
  readonly migration: Migration;
  readonly kind: typeof flowKind | typeof evaluationKind;
  readonly recorder: Recorder;
  /** Of all kinds, as the journal has them. */
  readonly starts: readonly Doubt[];
  /** What is under way when the run is interrupted is cancelled. */
  readonly cancels?: boolean | undefined;
}

/** The runs of the service that one run of ours starts, or takes up from an earlier one. */
export class ServiceRuns {
  /** Of earlier runs, and of this one where no end is known: they keep the journal. */
  readonly #open: Map<string, Doubt | undefined>;

  readonly #options: ServiceRunsOptions;
  #made: Runner | undefined;

  constructor(options: ServiceRunsOptions) {
    this.#options = options;
    this.#open = new Map(
      options.starts.filter((open) => open.kind === options.kind).map((open) => [open.item.source, open]),
    );
  }

  get kind(): ActionKind {
    return this.#runner.kind;
  }

  /** Made when something is started or taken up: a run without flows needs no kind of them. */
  get #runner(): Runner {
    return (this.#made ??= this.#make());
  }

  #make(): Runner {
    const { migration, recorder, kind: name, cancels } = this.#options;
    const kind = migration.registry.action(name);
    if (kind === undefined) throw new Error(`the registry has no ${name}`);
    const { quietPeriodMs, workflowMs } = migration.plan.limits;
    return new Runner(kind, {
      client: migration.target(),
      recorder,
      report: migration.report,
      sleep: migration.sleep,
      stop: migration.stop,
      quietPeriodMs,
      workflowMs,
      ...(cancels === true ? { cancel: async (handle) => cancelOnTheWayOut(migration, kind, handle) } : {}),
    });
  }

  /** Those whose end is not known, by key; of earlier runs with what the journal has of them. */
  get open(): ReadonlyMap<string, Doubt | undefined> {
    return this.#open;
  }

  /**
   * What an earlier run has left is taken up where it is; everything else is started. Where what it is about was changed
   * since, that one comes to its end first, and another one is started: never two at once.
   */
  async run(start: Start, options: { readonly wait?: boolean } = {}): Promise<Ended> {
    const isOther = start.print !== undefined && this.#open.get(start.key)?.item.before !== start.print;
    const taken = await this.takeUp(start.key);
    const isOver = taken === undefined || taken === "again" || !this.#open.has(start.key);
    if (taken !== undefined && taken !== "again" && !(isOther && isOver)) return taken;
    this.#open.set(start.key, undefined);
    return this.#closed(start.key, await this.#runner.start(start, options), options.wait === false);
  }

  /** One of an earlier run, for its own sake. `again`: it is known not to have arrived. */
  async takeUp(key: string): Promise<Ended | "again" | undefined> {
    const left = this.#open.get(key);
    if (left === undefined) return undefined;
    const ended = await this.#runner.takeUp(left);
    if (ended !== "again") return this.#closed(key, ended);
    this.#open.delete(key);
    return ended;
  }

  /** Asks once what became of those that have a workflow, and waits for none. */
  async glance(): Promise<void> {
    for (const [key, left] of this.#open)
      if (left !== undefined && (await this.#runner.hasEnded(left))) this.#open.delete(key);
  }

  /** A person says which workflow it is. */
  async take(left: Doubt, workflow: string): Promise<Ended> {
    return this.#closed(left.item.source, await this.#runner.take(left, workflow));
  }

  /** A person says that none of them is it. */
  async drop(left: Doubt): Promise<void> {
    await this.#runner.drop(left);
    this.#open.delete(left.item.source);
  }

  #closed(key: string, ended: Ended, isUnawaited = false): Ended {
    const isOpen = ended.state === "ask" || (ended.state === "later" && !isUnawaited);
    if (!isOpen) this.#open.delete(key);
    return ended;
  }
}

/** Ends a run that did nothing but start runs of the service: where nothing else is in the journal, it begins anew. */
export async function endServiceRun(
  migration: Migration,
  { journal, replayed }: WritingState,
  records: RunJournal,
  ended: { readonly run: string; readonly exitCode: ExitCode; readonly runs: ServiceRuns },
): Promise<void> {
  const { run, exitCode, runs } = ended;
  if (!records.wrote || runs.open.size > 0) return;
  const at = new Date(migration.now()).toISOString();
  await records.append({ type: "end", run, at, exitCode });
  const others = replayed.starts.filter(({ kind }) => kind !== runs.kind.name);
  // What earlier runs have left in it is for an apply to settle.
  const isPassing =
    replayed.owed.length + replayed.untold.length === 0 &&
    replayed.runs.every(({ command }) => onlyStart.has(command));
  if (isPassing && replayed.doubts.length === 0 && others.length === 0) await journal.restart();
}

/** A request that fails is no end of its own: the run was interrupted, and what it started stays known. */
async function cancelOnTheWayOut(migration: Migration, kind: ActionKind, handle: string): Promise<Cancelled> {
  const client = migration.parting();
  try {
    return { isCancelled: await kind.cancel(client, handle) };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === undefined) throw error;
    // It may be the answer alone that was lost. Where nothing answers, one more question keeps a person waiting.
    const isCancelled = trouble.fatal !== "unreachable" && (await isEnded(kind, client, handle));
    return { isCancelled, why: trouble.reason };
  } finally {
    await client.close();
  }
}

/** Without having come to anything: somebody has cancelled it. */
async function isEnded(kind: ActionKind, client: ReadClient, handle: string): Promise<boolean> {
  try {
    const answer = await kind.start.poll?.(client, { source: "", name: "", body: {}, whole: {} }, handle);
    // One that is not found may only not be shown: the next run asks about it.
    return answer?.state === "refused" && answer.missing !== true && !kind.wentWrong(answer.reason);
  } catch (error) {
    if (troubleOf(error) === undefined) throw error;
    return false;
  }
}

/** What an apply or a start cannot go on after, as the error that ends it. */
export function stoppedBy(
  label: string,
  ended: Exclude<Ended, { state: "finished" }>,
  plan: string,
): EngineError {
  const workflow = "workflow" in ended && ended.workflow !== undefined ? ` (${ended.workflow})` : "";
  switch (ended.state) {
    case "failed":
      return new EngineError(
        "flow-failed",
        `${label}${workflow}: ${ended.reason}`,
        "Set right what the reason names, and run the same command again.",
      );
    case "refused":
      return new EngineError(
        "flow-failed",
        `${label} was not started: ${ended.reason}`,
        "Set right what the reason names, and run the same command again.",
      );
    case "later":
      return new EngineError(
        "interrupted",
        `${label}${workflow}: ${ended.reason}`,
        ended.cancelled === true
          ? `Nothing of it goes on at the service; the next apply that has it in its plan, or \`ferry flow ${plan} start\`, starts it anew.`
          : "Run the same command again: what was started is taken up, and not started a second time.",
      );
    case "ask":
      return new EngineError(
        "in-doubt",
        `${label}: ${ended.reason}`,
        `If it is one of these: ferry flow ${plan} watch WORKFLOW. If it is none: ferry flow ${plan} watch none.`,
        ended.candidates.map(({ urn, name = "", status = "", startedAt = "" }) =>
          [urn, name, status, startedAt].filter((part) => part !== "").join(", "),
        ),
      );
  }
}

/** Why nothing may begin the journal anew: it is all that knows of what a run has started, and how that ends is not known. */
export function openStart({ plan }: Migration, [open]: readonly Doubt[]): EngineError | undefined {
  if (open === undefined) return undefined;
  return new EngineError(
    "interrupted",
    `an earlier run started what has no known end, and nothing was taken back: ${open.item.name}`,
    open.kind === flowKind ? `Run: ferry flow ${plan.name} watch` : `Run: ferry parity ${plan.name} --run`,
  );
}
