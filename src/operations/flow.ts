import { follow } from "../engine/settle/accepted.ts";
import type { Ended } from "../engine/runs/runner.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import { EngineError } from "../engine/progress.ts";
import type { ActionKind } from "../kinds/kind.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { shellWord } from "../model/shell-word.ts";
import { plural } from "../model/plural.ts";
import { AfterWrites, unordered } from "./after-writes.ts";
import type { PlannedFlow } from "./flow-names.ts";
import { flowConfigurations, flowConnections, resolveFlows } from "./flow-names.ts";
import type { Migration } from "./migration.ts";
import { resultOf } from "./result.ts";
import { beginRun, recorderFor } from "./run.ts";
import { endServiceRun, flowKind, ServiceRuns, stoppedBy } from "./service-runs.ts";
import { readState, writing } from "./state.ts";

/** What may be started at the target, and what the plan starts. */
export async function listFlows(migration: Migration): Promise<Result> {
  const client = migration.targetReads();
  const [configurations, connections] = await Promise.all([
    flowConfigurations(client),
    flowConnections(client),
  ]);
  const { before = [], after = [] } = migration.plan.flows ?? {};
  const planned = (when: string, flows: readonly PlannedFlow[]): readonly object[] =>
    flows.map(({ configuration, connection, paths = [], run }) => ({
      when,
      configuration,
      connection,
      paths: paths.join(", "),
      run,
    }));
  return resultOf(migration, {
    command: "flow",
    exitCode: exitCodes.done,
    headline: `${plural(configurations.length, "documentation flow")} and ${plural(connections.length, "connection")} at ${migration.plan.target.name}.`,
    details: {
      flows: configurations.map(({ actions, ...rest }) => ({ ...rest, actions: actions.join(", ") })),
      connections,
      planned: [...planned("before", before), ...planned("after", after)],
    },
  });
}

export interface StartFlowOptions {
  readonly configuration: string;
  readonly connection: string;
  readonly paths?: readonly string[] | undefined;
  /** False: its end is not waited for. */
  readonly wait: boolean;
  /** An interrupt cancels it. */
  readonly cancelFlows?: boolean | undefined;
}

/** Starts one flow and waits for its end; one that an earlier run left under way is taken up. */
export async function startFlow(migration: Migration, options: StartFlowOptions): Promise<Result> {
  const { configuration, connection, paths, wait, cancelFlows } = options;
  const wanted = {
    configuration,
    connection,
    run: "always",
    ...(paths === undefined ? {} : { paths }),
  } as const;
  const [flow] = await resolveFlows(migration.targetReads(), [wanted]);
  if (flow === undefined) throw new Error("a flow that was resolved is missing");
  return withRuns(migration, cancelFlows, async (runs) => {
    migration.report({ type: "stage", stage: "start", detail: flow.label });
    const ended = await runs.run({ key: flow.key, name: flow.label, body: flow.body }, { wait });
    const isStarted = !wait && ended.state === "later" && ended.workflow !== undefined;
    return isStarted
      ? startedOnly(migration, flow.label, ended.workflow ?? "")
      : finished(migration, flow.label, ended);
  });
}

/**
 * Waits for the end of what ferry started and left, or of a workflow that is named; where a start is in doubt, the name
 * says which one it made, and `none` that it made none.
 */
export async function watchFlow(
  migration: Migration,
  workflow: string | undefined,
  { cancelFlows }: Pick<StartFlowOptions, "cancelFlows"> = {},
): Promise<Result> {
  const { replayed } = await readState(migration);
  const open = replayed.starts.filter(({ kind }) => kind === flowKind);
  const asked = open.filter(({ asks, handle }) => asks === true && handle === undefined);
  if (workflow === undefined)
    return open.length === 0 ? underWay(migration) : takeUpAll(migration, cancelFlows);
  if (workflow === "none") return dropAsked(migration, asked);
  const [first] = asked;
  const isKnown = open.some(({ handle }) => handle === workflow);
  if (first === undefined && !isKnown) return followOnly(migration, workflow);
  return withRuns(migration, cancelFlows, async (runs) => {
    const left = open.find(({ handle }) => handle === workflow) ?? (await whose(runs, asked, workflow));
    const ended =
      left.handle === workflow ? await runs.takeUp(left.item.source) : await runs.take(left, workflow);
    return finished(migration, left.item.name, ended === "again" ? undefined : ended);
  });
}

/** The start that may have made it. */
async function whose(runs: ServiceRuns, asked: readonly Doubt[], workflow: string): Promise<Doubt> {
  for (const doubt of asked) {
    const ended = await runs.takeUp(doubt.item.source);
    if (
      typeof ended === "object" &&
      ended.state === "ask" &&
      ended.candidates.some(({ urn }) => urn === workflow)
    )
      return doubt;
  }
  throw new EngineError(
    "selection",
    `${workflow} cannot be what the start in doubt made: it was there before, or is none`,
    "The candidates are listed by `ferry flow PLAN watch`.",
  );
}

/** Whoever waits for it is told by the service; nobody has to wait for their lock. */
export async function cancelFlow(migration: Migration, workflow: string): Promise<Result> {
  const isCancelled = await actionOf(migration).cancel(migration.target(), workflow);
  return resultOf(migration, {
    command: "flow",
    exitCode: isCancelled ? exitCodes.done : exitCodes.failed,
    headline: isCancelled
      ? `${workflow} is cancelled.`
      : `${workflow} was not cancelled: it has ended, or is none.`,
  });
}

/** Holds the target while `work` runs; what has ended leaves nothing in the journal. */
async function withRuns(
  migration: Migration,
  cancels: boolean | undefined,
  work: (runs: ServiceRuns) => Promise<Result | EngineError>,
): Promise<Result> {
  return writing(migration, async (run, state) => {
    const records = beginRun(migration, state.journal, { run, command: "flow" });
    const recorder = recorderFor(migration, run, records, state.mapping);
    const { starts } = state.replayed;
    const runs = new ServiceRuns({ migration, kind: flowKind, recorder, starts, cancels });
    const result = await work(runs);
    const exitCode = result instanceof EngineError ? exitCodes.failed : result.exitCode;
    const after = new AfterWrites();
    await after.tried(unordered, async () =>
      endServiceRun(migration, state, records, { run, exitCode, runs }),
    );
    if (result instanceof EngineError) throw result;
    return after.onto(result);
  });
}

async function takeUpAll(migration: Migration, cancels: boolean | undefined): Promise<Result> {
  return withRuns(migration, cancels, async (runs) => {
    let last: Result | EngineError = nothingLeft(migration);
    for (const [key, left] of runs.open) {
      if (left === undefined) continue;
      migration.report({ type: "stage", stage: "take up", detail: left.item.name });
      const ended = await runs.takeUp(key);
      last = finished(migration, left.item.name, ended === "again" ? undefined : ended);
      if (last instanceof EngineError) return last;
    }
    return last;
  });
}

async function dropAsked(migration: Migration, asked: readonly Doubt[]): Promise<Result> {
  if (asked.length === 0) return nothingLeft(migration);
  return withRuns(migration, false, async (runs) => {
    for (const doubt of asked) await runs.drop(doubt);
    const names = asked.map(({ item }) => item.name).join(", ");
    return resultOf(migration, {
      command: "flow",
      exitCode: exitCodes.done,
      headline: `On record: ${names} was not started. The next run starts it.`,
    });
  });
}

/** One that ferry did not start: it is only looked at. */
async function followOnly(migration: Migration, workflow: string): Promise<Result> {
  const kind = actionOf(migration);
  const found = await follow({
    step: kind.start,
    client: migration.targetReads(),
    item: { source: workflow, name: workflow, body: {}, whole: {} },
    accepted: { handle: workflow, waitMs: 0 },
    disbelieved: () => undefined,
    renamed: async () => {},
    sleep: migration.sleep,
    stopped: () => migration.stop.aborted,
    atMostMs: migration.plan.limits.workflowMs,
  });
  const ended: Ended =
    found.state === "done"
      ? { state: "finished", workflow }
      : found.state === "refused"
        ? { state: "failed", workflow, reason: found.reason }
        : {
            state: "later",
            workflow,
            reason: found.state === "stopped" ? "it goes on at the service" : found.reason,
          };
  const result = finished(migration, "the workflow", ended);
  if (result instanceof EngineError) throw result;
  return result;
}

/** What is under way at the target, whoever started it. */
async function underWay(migration: Migration): Promise<Result> {
  const runs = (await actionOf(migration).underWay?.(migration.targetReads())) ?? [];
  return resultOf(migration, {
    command: "flow",
    exitCode: exitCodes.done,
    headline: `Nothing that ferry waits for is under way. ${besides(runs.length)}`,
    ...(runs.length === 0 ? {} : { details: { "under way": runs } }),
  });
}

/** A start that nobody waits for leaves nothing by which it could be told from one of others. */
function besides(running: number): string {
  if (running === 0) return "Nor is anything else but runs of monitors.";
  const [is, it] = running === 1 ? ["is", "it"] : ["are", "them"];
  return `${plural(running, "workflow")} ${is} that others have started, or ferry without waiting for ${it}.`;
}

function finished(migration: Migration, label: string, ended: Ended | undefined): Result | EngineError {
  if (ended === undefined) return nothingLeft(migration, `${label} was not started after all.`);
  if (ended.state !== "finished") return stoppedBy(label, ended, migration.plan.name);
  return resultOf(migration, {
    command: "flow",
    exitCode: exitCodes.done,
    headline: `${label} has finished.`,
    details: { workflow: ended.workflow },
  });
}

function startedOnly(migration: Migration, label: string, workflow: string): Result {
  return resultOf(migration, {
    command: "flow",
    exitCode: exitCodes.done,
    headline: `${label} was started, and is not waited for.`,
    next: [`ferry flow ${migration.plan.name} watch ${shellWord(workflow)}`],
    details: { workflow },
  });
}

function nothingLeft(migration: Migration, headline = "No start is in doubt."): Result {
  return resultOf(migration, { command: "flow", exitCode: exitCodes.done, headline });
}

function actionOf({ registry }: Migration): ActionKind {
  const kind = registry.action(flowKind);
  if (kind === undefined) throw new Error(`the registry has no ${flowKind}`);
  return kind;
}
