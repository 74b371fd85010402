import { appliers } from "./breach.ts";
import type { Tenant } from "../../src/emulator/index.ts";
import { isUnderWay, passTime, startWorkflow } from "../../src/emulator/processing/runs.ts";
import * as seed from "../../src/emulator/seed.ts";
import { asText } from "../../src/emulator/json.ts";
import type { Workflow } from "../../src/emulator/state.ts";
import type { Doubt } from "../../src/engine/settle/subtraction.ts";
import type { Plan } from "../../src/model/plan.ts";
import { EngineError } from "../../src/engine/progress.ts";
import { watchFlow } from "../../src/operations/flow.ts";
import { evaluationKind, flowKind } from "../../src/operations/service-runs.ts";
import type { State } from "../../src/operations/state.ts";
import { writes } from "./alike.ts";
import type { Given } from "../properties/estates/given.ts";
import type { Dice } from "./dice.ts";
import type { Ended } from "./ended.ts";
import type { Records } from "./records.ts";
import type { Scene } from "./scene.ts";
import type { TimedAct } from "./story.ts";

/** Runs of the service that the plan starts: documentation flows, and evaluations of what was moved. */
export interface RunsPlan {
  readonly before: boolean;
  readonly after?: "always" | "when-changed";
  /** Milliseconds that each takes. */
  readonly takes: number;
  /** So many end well before one that does not; 0: all. */
  readonly fails: number;
}

export function drawRuns(dice: Dice): RunsPlan {
  const before = dice.chance(0.6);
  const after = before && dice.chance(0.3) ? undefined : dice.pick(["always", "when-changed"] as const);
  return {
    before,
    ...(after === undefined ? {} : { after }),
    takes: dice.pick([0, 5_000, 600_000, 5_000_000]),
    fails: dice.pick([0, 0, 0, 2, 4]),
  };
}

/** How long a run of the tool waits for one, milliseconds. */
export const workflowMs = 3_600_000;

const connection = "warehouse";
const names = { before: "Import", after: "Detect" } as const;

type FlowKeys = Readonly<Record<"before" | "after", string>>;

interface Made {
  readonly urn: string;
  /** What it is a run of: never two of the tool's at once. */
  readonly key: string;
  readonly by: "tool" | "colleague";
  readonly tick: number;
  /** When the request that made it was sent. */
  readonly sentAt: number;
}

/** What a run is of, told by the books alone. */
function keyOf({ subject }: Workflow): string {
  const { configurationUrn, connectionUrn, dqMonitorUrn } = subject;
  return [configurationUrn, connectionUrn, dqMonitorUrn].map((part) => asText(part ?? "")).join(" ");
}

/**
 * Starts that the tool has sent, judged by the books: what was started is taken up and never started beside, what the plan asks
 * for has run when a run of the tool says that all is done, and nothing runs at the source.
 */
export class Runs implements Records {
  readonly #scene: Scene;
  readonly #plan: RunsPlan;
  readonly #target: Tenant;
  readonly #made: Made[] = [];
  /** Keys of starts that were open when the command began. */
  #open: ReadonlySet<string> = new Set();
  /** Of these a person said that none was made, and may have spoken too soon. */
  readonly #dropped = new Set<string>();
  /** A command that did not come to its end has written: what follows upon that may be started by the one that goes on. */
  #mayOwe = false;
  #count = 0;
  readonly #keys: FlowKeys;

  /** What the target has of flows, before anybody is at work; by name, as the keys of their runs. */
  static prepare(target: Tenant, given: Given): FlowKeys {
    const sourceUrn = given.all.get("source warehouse") ?? ("" as never);
    const on = seed.seedConnection(target, { name: connection, sourceUrn });
    const key = (name: string): string =>
      `${seed.seedFlowConfiguration(target, { name, actions: [name.toUpperCase()] }).urn} ${on.urn} `;
    return { before: key(names.before), after: key(names.after) };
  }

  constructor(scene: Scene, plan: RunsPlan, keys: FlowKeys) {
    this.#scene = scene;
    this.#plan = plan;
    this.#keys = keys;
    const { source, target } = scene.books;
    this.#target = target;
    target.quirks.workflowMilliseconds = plan.takes;
    target.quirks.workflowRetryAfter = plan.takes > 60_000 ? 300 : 1;
    target.quirks.workflowOutcome = () => {
      this.#count += 1;
      return plan.fails > 0 && this.#count % (plan.fails + 1) === 0 ? "FAILED" : "FINISHED";
    };
    this.#watch("source", source);
    this.#watch("target", target);
  }

  static flows({ before, after }: RunsPlan): NonNullable<Plan["flows"]> {
    return {
      before: before ? [{ configuration: names.before, connection, run: "always" }] : [],
      after: after === undefined ? [] : [{ configuration: names.after, connection, run: after }],
    };
  }

  /** What a person starts with the tool. */
  static readonly byHand = { configuration: names.before, connection, wait: true } as const;

  act({ side, how, value }: TimedAct): string | undefined {
    if (side === "source") return undefined;
    const { books } = this.#scene;
    const tenant = this.#target;
    if (how === "unuse") {
      passTime(tenant);
      const running = [...tenant.workflows.values()].filter(({ status }) => isUnderWay(status));
      const one = running[value % Math.max(1, running.length)];
      if (one === undefined) return undefined;
      books.asColleague(() =>
        tenant.workflows.put({ ...one, status: "CANCELED", finishedAt: tenant.timestamp() }),
      );
      return `cancels ${one.name} (${one.urn.slice(-36, -28)}) at the target`;
    }
    const [configurationUrn = "", connectionUrn = ""] =
      this.#keys[value % 2 === 0 ? "before" : "after"].split(" ");
    const { name } = tenant.flowConfigurations.get(configurationUrn) ?? { name: "" };
    const subject = { configurationUrn, connectionUrn, paths: [] };
    books.asColleague(() =>
      startWorkflow(tenant, { type: "DOCUMENTATION_FLOW", name, subject, jobs: [name] }),
    );
    return `starts ${name} at the target`;
  }

  judge({ command: { does }, began, killed, result }: Ended, { replayed }: State): void {
    const { isOfSecond, judge } = this.#scene;
    const open = replayed.starts.filter(({ kind }) => kind === flowKind);
    const openBefore = this.#open;
    this.#open = new Set(open.map(keyOfDoubt));
    const hasWritten = writes(this.#scene).some((write) => !isStart(write));
    // The plan of the other team starts none.
    if (killed || result?.exitCode !== 0) {
      this.#mayOwe ||= hasWritten && !isOfSecond;
      return;
    }
    const evaluations = replayed.starts.filter(({ kind }) => kind === evaluationKind);
    const left = this.#leftOf(does, open, evaluations);
    for (const { item } of left) judge.breach("exit-code", `${does} ends with 0, and ${item.name} is open`);
    const since = (key: string): readonly Made[] =>
      this.#made.filter((made) => made.key === key && made.by === "tool" && made.tick >= began);
    for (const key of Object.values(this.#keys))
      // What a process that was cut off had sent may arrive now, and is taken up: what follows upon the changes of this run is another one.
      if (since(key).filter(({ sentAt }) => sentAt >= began).length > 1)
        judge.breach("started-twice", `${does} has started ${key} ${since(key).length} times`);
    if (does === "flow") this.#hasRun(does, "before", openBefore, since);
    if (!appliers.has(does) || isOfSecond) return;
    const { before, after } = this.#plan;
    if (before) this.#hasRun(does, "before", openBefore, since);
    if (after === "always" || (after === "when-changed" && hasWritten))
      this.#hasRun(does, "after", openBefore, since);
    const hasDone = result.changes.some(({ outcome }) => outcome === "done");
    const isDue = hasDone || hasWritten || this.#mayOwe;
    if (after === "when-changed" && !isDue && since(this.#keys.after).length > 0)
      judge.breach("started-twice", `${does} has started ${names.after}, and nothing was written`);
    this.#mayOwe = false;
  }

  /** What must not be open any more when a command says that all is done. */
  #leftOf(does: string, flows: readonly Doubt[], evaluations: readonly Doubt[]): readonly Doubt[] {
    if (does === "evaluate") return evaluations;
    if (does === "flow") return flows.filter((doubt) => keyOfDoubt(doubt) === this.#keys.before);
    return appliers.has(does) || does === "watch" ? flows : [];
  }

  #hasRun(
    does: string,
    which: "before" | "after",
    openBefore: ReadonlySet<string>,
    since: (key: string) => readonly Made[],
  ): void {
    const key = this.#keys[which];
    const possible = openBefore.has(key) ? this.#made.filter((made) => made.key === key) : since(key);
    // A colleague's may be taken for the one whose answer was lost.
    const others = this.#made.filter((made) => made.key === key && made.by === "colleague");
    const isDone = [...possible, ...others].some(
      ({ urn }) => this.#target.workflows.get(urn)?.status === "FINISHED",
    );
    if (!isDone) this.#scene.judge.breach("lost", `${does} ends with 0, and ${names[which]} has not run`);
  }

  async calm(): Promise<void> {
    const { quirks, workflows } = this.#target;
    quirks.workflowOutcome = "FINISHED";
    quirks.workflowMilliseconds = 1_000;
    quirks.workflowRetryAfter = 1;
    for (const run of workflows.values())
      if (isUnderWay(run.status)) workflows.put({ ...run, until: this.#target.clock(), outcome: "FINISHED" });
  }

  /** Which run a lost start has made, or that it has made none. */
  answer({ replayed }: State): string | undefined {
    const asked = replayed.starts.find(
      ({ asks, handle, kind }) => kind === flowKind && asks === true && handle === undefined,
    );
    if (asked === undefined) return undefined;
    const known = new Set(knownIn(asked));
    const ours = this.#made.find(
      ({ urn, key, by }) => by === "tool" && key === keyOfDoubt(asked) && !known.has(urn),
    );
    if (ours === undefined) for (const { item } of replayed.starts) this.#dropped.add(`${item.source} `);
    return ours?.urn ?? "none";
  }

  /** Whether a person had to say which run a start has made; or one of an earlier run has failed, and is to be run again. */
  async sayWhich(error: Error): Promise<boolean> {
    if (!(error instanceof EngineError)) return false;
    if (error.code === "flow-failed") return true;
    if (error.code !== "in-doubt") return false;
    const answer = this.answer(await this.#scene.state());
    if (answer === undefined) return false;
    this.#scene.say(`    a person says that it is ${answer}`);
    try {
      await this.#scene.quietly((migration) => watchFlow(migration, answer));
    } catch (thrown) {
      // It has come to its end, and that was none that a run goes on after.
      if (!(thrown instanceof EngineError)) throw thrown;
    }
    this.#scene.forget();
    return true;
  }

  async seeTo(): Promise<boolean> {
    return false;
  }

  judgeWhole(): void {
    passTime(this.#target);
    for (const { urn, key, by } of this.#made)
      if (by === "tool" && isUnderWay(this.#target.workflows.get(urn)?.status ?? "FINISHED"))
        this.#scene.judge.breach("no-rest", `${key} is under way still`);
  }

  #watch(side: "source" | "target", tenant: Tenant): void {
    const put = tenant.workflows.put.bind(tenant.workflows);
    tenant.workflows.put = (run) => {
      const isNew = !tenant.workflows.has(run.urn);
      const stored = put(run);
      if (isNew) this.#note(side, stored);
      return stored;
    };
  }

  #note(side: "source" | "target", run: Workflow): void {
    const { books, judge } = this.#scene;
    const key = keyOf(run);
    const by = books.actor;
    if (side === "source" && by === "tool")
      judge.breach("source-written", `${run.name} was started at the source`);
    const made: Made = { urn: run.urn, key, by, tick: books.tick, sentAt: books.sentAt };
    if (by === "tool" && side === "target") this.#isAlone(made);
    this.#made.push(made);
  }

  /** Never two of ours at once: what was started is taken up. */
  #isAlone({ key, sentAt }: Made): void {
    passTime(this.#target);
    if (this.#dropped.has(key)) return;
    const beside = this.#made.find(
      (made) =>
        made.by === "tool" &&
        made.key === key &&
        // It was said to be refused (README).
        !this.#scene.judge.disowned.has(made.urn) &&
        isUnderWay(this.#target.workflows.get(made.urn)?.status ?? "FINISHED") &&
        // A colleague's was taken for it, whose answer was lost.
        !this.#made.some(
          (other) => other.by === "colleague" && other.tick >= made.sentAt && other.tick <= sentAt,
        ),
    );
    if (beside !== undefined)
      this.#scene.judge.breach("started-twice", `${key} was started while ${beside.urn} is under way`);
  }
}

function isStart(write: string): boolean {
  return /\/documentation-flow\/start$|\/processings$/.test(write);
}

/** The key of a flow names its configuration and connection. */
function keyOfDoubt({ item }: Doubt): string {
  return `${item.source} `;
}

function knownIn({ item }: Doubt): readonly string[] {
  const { known } = item.body as { readonly known?: readonly string[] };
  return known ?? [];
}
