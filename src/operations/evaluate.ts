import { bounded } from "../engine/bounded.ts";
import type { MonitorPair } from "../engine/parity/index.ts";
import { EngineError } from "../engine/progress.ts";
import type { Ended } from "../engine/runs/runner.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Migration } from "./migration.ts";
import type { ServiceRuns } from "./service-runs.ts";

export interface Evaluated {
  /** Why the run that was wanted of a monitor is not there to be compared: by the target's URN, a clause. */
  readonly without: ReadonlyMap<string, string>;
  /** The runs that have finished, by the target's URN: these are to be compared, and no older ones. */
  readonly awaited: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Some have not ended: the next run takes them up. */
  readonly isOpen: boolean;
}

/**
 * Starts an evaluation of each moved monitor at the target, never at the source, so many at once as requests may be in
 * flight, and waits for all of them. What an earlier run has started of what a monitor still is, is taken up.
 */
export async function evaluateTargets(
  migration: Migration,
  pairs: readonly MonitorPair[],
  runs: ServiceRuns,
): Promise<Evaluated> {
  const { limits, target } = migration.plan;
  const there = pairs.filter((pair) => pair.target.place !== undefined);
  const ended = new Map<string, Ended>();
  let isOffered = true;
  const evaluate = async (pair: MonitorPair): Promise<void> => {
    const { place, urn } = pair.target;
    if (place === undefined || !isOffered) return;
    if (migration.stop.aborted) return;
    const body = { catalogItemUrn: place.item, dqMonitorUrn: place.monitor };
    const name = `the evaluation of "${pair.source.name}"`;
    const end = await runs.run({
      key: pair.source.urn,
      name,
      target: urn,
      body,
      print: pair.print,
    });
    ended.set(urn, end);
    if (end.state === "refused" && end.notOffered) isOffered = false;
    migration.report({ type: "work", done: ended.size, total: there.length, inFlight: 0 });
  };
  // Whether the path is offered at all is found out once (page 04), and not by all of them together.
  const [first, ...rest] = there;
  if (first !== undefined) await evaluate(first);
  await bounded(rest, limits.concurrency, evaluate);
  if (migration.stop.aborted) throw interruptedWhileWaiting();
  if (!isOffered)
    return {
      without: new Map(),
      awaited: new Map(),
      diagnostics: [notOffered(runs, migration.plan.name)],
      isOpen: false,
    };
  const awaited = new Map<string, string>();
  const without = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const pair of there) {
    const end = ended.get(pair.target.urn);
    if (end?.state === "finished") awaited.set(pair.target.urn, end.workflow);
    const clause = end === undefined ? undefined : clauseOf(end, target.name);
    if (end === undefined || clause === undefined) continue;
    without.set(pair.target.urn, clause);
    diagnostics.push({
      severity: "warning",
      code: end.state === "later" || end.state === "ask" ? "evaluation-running" : "evaluation-failed",
      coordinate: { kind: pair.kind, urn: pair.target.urn, name: pair.target.name },
      summary: clause,
    });
  }
  return { without, awaited, diagnostics, isOpen: runs.open.size > 0 };
}

/** Undefined where it has finished: then there is something to compare. */
function clauseOf(ended: Ended, name: string): string | undefined {
  switch (ended.state) {
    case "finished":
      return undefined;
    case "failed":
      return `the evaluation that was started at ${name} did not finish: ${ended.reason} (${ended.workflow})`;
    case "refused":
      return `no evaluation was started at ${name}: ${ended.reason}`;
    case "later":
      return `the evaluation that was started at ${name} has not ended: ${ended.reason}`;
    case "ask":
      return `whether an evaluation was started at ${name} is not known: ${ended.reason}`;
  }
}

function notOffered({ kind }: ServiceRuns, plan: string): Diagnostic {
  const { code = "evaluation-not-offered", reason = "", suggestion = "" } = kind.start.ifAbsent ?? {};
  return {
    severity: "warning",
    code,
    summary: `${reason}; the last runs are compared`,
    suggestion: suggestion.replace("PLAN", plan),
  };
}

function interruptedWhileWaiting(): EngineError {
  return new EngineError(
    "interrupted",
    "interrupted while evaluations at the target were under way; they go on at the service",
    "Run the same command again: what was started is taken up, and not started a second time.",
  );
}
