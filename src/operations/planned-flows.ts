import type { Recorder } from "../engine/apply/recorder.ts";
import type { Replayed } from "../engine/settle/replay.ts";
import type { Ended } from "../engine/runs/runner.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { EndRecord, RunRecord } from "../model/journal.ts";
import type { ExitCode } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import type { ResolvedFlow } from "./flow-names.ts";
import { resolveFlows } from "./flow-names.ts";
import type { Migration } from "./migration.ts";
import { notConfirmed } from "./not-confirmed.ts";
import { isLeft, leftBy, owedKeys, owedToOthers } from "./owed-flows.ts";
import { evaluationKind, flowKind, ServiceRuns, stoppedBy } from "./service-runs.ts";
import type { WritingState } from "./state.ts";

export interface PlannedFlowsOptions {
  /** What is awaited when the run is interrupted is cancelled. */
  readonly cancelFlows?: boolean | undefined;
  /** Asked before those are started that come before the diff; nobody is asked where it is left out. */
  readonly confirmFlows?: ((labels: readonly string[]) => Promise<boolean>) | undefined;
}

/** As they stand at the target. */
interface FlowsOfPlan {
  readonly first: readonly ResolvedFlow[];
  readonly after: readonly ResolvedFlow[];
}

export async function flowsOfPlan(migration: Migration): Promise<FlowsOfPlan> {
  const { before = [], after = [] } = migration.plan.flows ?? {};
  const resolved = await resolveFlows(migration.targetReads(), [...before, ...after]);
  return { first: resolved.slice(0, before.length), after: resolved.slice(before.length) };
}

/** What is on record of a run before it writes: whoever puts that away knows what it owes. */
export function followsOf({ after }: FlowsOfPlan): Pick<RunRecord, "follows"> {
  const follows = after.flatMap(({ key, run }) => (run === "when-changed" ? [key] : []));
  return follows.length === 0 ? {} : { follows };
}

/** The documentation flows that a plan asks for, as a run starts or takes them up. */
export class PlannedFlows {
  readonly diagnostics: Diagnostic[] = [];
  readonly #migration: Migration;
  readonly #options: PlannedFlowsOptions;
  readonly #runs: ServiceRuns;
  readonly #evaluations: ServiceRuns;
  readonly #replayed: Replayed;
  /** What runs that did not come to their end have begun, each with all that was started since. */
  readonly #left: ReturnType<typeof leftBy>;
  readonly #first: readonly ResolvedFlow[];
  readonly #after: readonly ResolvedFlow[];
  /** Those that an earlier run has started, and that have finished by now, by key. */
  readonly #takenUp = new Set<string>();
  /** Those that this one has started before it wrote anything, and that have finished. */
  readonly #fresh = new Set<string>();
  /** Those that follow upon what was written, by this run or an earlier one, and have come to no good end. */
  readonly #owing: Set<string>;

  constructor(
    migration: Migration,
    { replayed }: WritingState,
    recorder: Recorder,
    { first, after }: FlowsOfPlan,
    options: PlannedFlowsOptions,
  ) {
    this.#migration = migration;
    this.#replayed = replayed;
    this.#left = leftBy(replayed);
    this.#first = first;
    this.#after = after;
    this.#options = options;
    const others = owedToOthers(migration, replayed).flatMap(({ owes = [] }) => owes);
    this.#owing = new Set([...owedKeys(replayed), ...others]);
    const shared = { migration, recorder, starts: replayed.starts };
    this.#runs = new ServiceRuns({ ...shared, kind: flowKind, cancels: options.cancelFlows });
    this.#evaluations = new ServiceRuns({ ...shared, kind: evaluationKind });
  }

  /** Something has no known end, or is still to be run: that keeps the journal. */
  get isOpen(): boolean {
    return this.#runs.open.size + this.#evaluations.open.size + this.#owes.length > 0;
  }

  /** For the record of the run's end: the next one starts these, also where it writes nothing. */
  get owed(): Pick<EndRecord, "owes"> {
    const owes = this.#owes;
    return owes.length === 0 ? {} : { owes };
  }

  /** The same of other plans' runs, where this one puts away what was on record of them. */
  get owedToOthers(): readonly EndRecord[] {
    return owedToOthers(this.#migration, this.#replayed, (key) => this.#owing.has(key));
  }

  /** What the plan does not have any more nobody waits for. */
  get #owes(): readonly string[] {
    return this.#after.flatMap(({ key }) => (this.#owing.has(key) ? [key] : []));
  }

  /** Throws what the run cannot go on after: of a flow that brings what the target is read for nothing may be missing. */
  async before(): Promise<void> {
    const [migration, first] = [this.#migration, this.#first];
    await this.#evaluations.glance();
    const left = [...this.#runs.open.values()].flatMap((open) => open ?? []);
    const wanted = first.filter(({ key }) => !this.#runs.open.has(key)).map(({ label }) => label);
    if (wanted.length > 0 && (await this.#options.confirmFlows?.(wanted)) === false)
      throw notConfirmed(migration, "no flow was started, and nothing was written");
    for (const { item } of left) {
      migration.report({ type: "stage", stage: "take up", detail: item.name });
      const ended = await this.#runs.takeUp(item.source);
      if (ended === undefined) continue;
      // What never arrived, or somebody has cancelled meanwhile, did nothing: it is started as if it had never been.
      if (ended === "again" || (ended.state === "failed" && !this.#runs.kind.wentWrong(ended.reason))) {
        this.#owing.add(item.source);
        continue;
      }
      this.#tell(item.name, ended);
      this.#takenUp.add(item.source);
      this.#owing.delete(item.source);
    }
    for (const flow of first) {
      if (this.#takenUp.has(flow.key)) continue;
      this.#tell(flow.label, await this.#start(flow));
      // It comes after all that earlier runs have written.
      this.#fresh.add(flow.key);
      this.#owing.delete(flow.key);
    }
  }

  /** Those that follow upon what was applied; the exit code that they bring, where one did not finish. */
  async after(changed: boolean): Promise<ExitCode | undefined> {
    let worst: ExitCode | undefined;
    const due = this.#after.filter((flow) => changed || this.#isOwed(flow));
    // Until it has finished: whatever comes between them, the next run knows.
    for (const { key, run } of due) if (run === "when-changed") this.#owing.add(key);
    for (const flow of this.#after) {
      const isDue = due.includes(flow);
      // What was taken up stands for it where nothing was written since it was started.
      if (this.#takenUp.has(flow.key) && !isDue) continue;
      if (flow.run === "when-changed" && !isDue) {
        this.#skip(flow, "nothing was written");
        continue;
      }
      const ended = await this.#start(flow);
      if (ended.state === "finished") {
        this.#owing.delete(flow.key);
        this.#tell(flow.label, ended);
        continue;
      }
      const { code, message, suggestion, details } = stoppedBy(flow.label, ended, this.#migration.plan.name);
      worst ??= codes[ended.state];
      this.diagnostics.push({
        severity: "error",
        code: code === "in-doubt" ? "flow-in-doubt" : code === "interrupted" ? "flow-running" : "flow-failed",
        summary: message,
        ...(details.length === 0 ? {} : { detail: `Candidates: ${details.join("; ")}` }),
        ...(suggestion === undefined ? {} : { suggestion }),
      });
    }
    return worst;
  }

  /** The run came to no good end: what would have followed is not started. */
  skipAfter(why: string): void {
    for (const flow of this.#after) this.#skip(flow, why);
  }

  /** An earlier run has written, and did not come to what follows upon that, or to its good end: this one brings it there. */
  #isOwed({ key }: ResolvedFlow): boolean {
    if (this.#owing.has(key)) return true;
    return !this.#fresh.has(key) && isLeft(this.#left, key, this.#migration.plan.name);
  }

  #skip({ label }: ResolvedFlow, why: string): void {
    this.diagnostics.push({
      severity: "info",
      code: "flow-not-started",
      summary: `${label} was not started: ${why}`,
    });
  }

  async #start({ key, label, body }: ResolvedFlow): Promise<Ended> {
    this.#migration.report({ type: "stage", stage: "start", detail: label });
    return this.#runs.run({ key, name: label, body });
  }

  #tell(label: string, ended: Ended): void {
    if (ended.state !== "finished") throw stoppedBy(label, ended, this.#migration.plan.name);
    this.diagnostics.push({
      severity: "info",
      code: "flow-done",
      summary: `${label} has finished (${ended.workflow})`,
    });
  }
}

const codes: Readonly<Record<Exclude<Ended["state"], "finished">, ExitCode>> = {
  failed: exitCodes.failed,
  refused: exitCodes.failed,
  later: exitCodes.interrupted,
  ask: exitCodes.inDoubt,
};

/** What a run would start, for a diff; flows that are not to be found are an error before anything is read. */
export async function flowsAhead(migration: Migration, replayed: Replayed): Promise<readonly Diagnostic[]> {
  const { first, after } = await flowsOfPlan(migration);
  const { name } = migration.plan.target;
  const [owed, left] = [owedKeys(replayed), leftBy(replayed)];
  return [...first, ...after].map(({ key, label, run }, index): Diagnostic => {
    const when =
      index < first.length
        ? "before the target is read"
        : run === "always"
          ? "when everything is applied"
          : owed.has(key) || isLeft(left, key, migration.plan.name)
            ? "when everything is applied: it is to follow upon what an earlier run has written"
            : "when everything is applied, if anything was written";
    return { severity: "info", code: "flow-starts", summary: `${label} is started at ${name} ${when}` };
  });
}
