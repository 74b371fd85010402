import type { MappingTable } from "../../model/mapping-table.ts";
import type { ParityDifference, ParityInsight } from "../../model/parity.ts";
import { text } from "../../model/json.ts";
import type { RunPlace } from "../../service/index.ts";
import { explain } from "./explain.ts";
import type { LookedInto } from "./explain.ts";
import { partsOf } from "./monitor-parts.ts";
import type { MonitorPair } from "./pairs.ts";
import { readSamples } from "./samples.ts";
import type { Side } from "./side.ts";
import { isUnread } from "./side.ts";
import { stateClause } from "./why-none.ts";

export interface LookOptions {
  readonly mapping: MappingTable;
  /** Points of per cent. */
  readonly tolerance: number;
  /** Invalid records of each side to read; 0 for none. */
  readonly samples: number;
}

export type Looked =
  | { readonly insight: ParityInsight; readonly differences: readonly ParityDifference[] }
  /** The results turned out not to be there: the pair cannot be compared. */
  | { readonly without: string }
  /** A closer look is refused: that the two differ stands. */
  | { readonly unseen: string };

interface OfSide {
  readonly side: Side;
  readonly run: RunPlace;
}

/** Why two runs differ: in the runs that the bulk answers named, which need not be the latest ones. */
export async function lookInto(
  pair: MonitorPair,
  source: OfSide,
  target: OfSide,
  { mapping, tolerance, samples }: LookOptions,
): Promise<Looked> {
  const [here, there] = await Promise.all([readSide(source), readSide(target)]);
  if (typeof here === "string" || typeof there === "string") {
    const clauses = [here, there].filter((found) => typeof found === "string");
    return { without: clauses.join("; ") };
  }
  if ("unseen" in here || "unseen" in there) {
    const clauses = [here, there].flatMap((found) => ("unseen" in found ? [found.unseen] : []));
    return { unseen: clauses.join("; ") };
  }
  const twins = {
    key: (key: string) => pair.keys[key],
    urn: (urn: string) => mapping.twin(urn),
  };
  const explained = explain(here, there, twins, tolerance);
  if (samples === 0) return explained;
  const found = await readSamples(
    { ...source, called: namesIn(here) },
    { ...target, called: namesIn(there) },
    samples,
  );
  const { insight, differences } = explained;
  return isUnread(found)
    ? { insight: { ...insight, notes: [...insight.notes, `no samples: ${found.unread}`] }, differences }
    : { insight: { ...insight, samples: found }, differences };
}

function namesIn({ evaluation }: LookedInto): (urn: string) => string | undefined {
  const names = new Map(evaluation.instances.map(({ urn, name }) => [urn, name]));
  return (urn) => names.get(urn);
}

/** A clause where there is nothing that could be compared. Results are retrieved only of what is FINISHED (document 2, Rules 1). */
async function readSide({ side, run }: OfSide): Promise<LookedInto | { readonly unseen: string } | string> {
  const { client, name } = side;
  const results = await side.ask(() => client.quality.runResults(run));
  if (isUnread(results)) return results.unread;
  if (results === undefined) return `the results of its run at ${name} are not there (404)`;
  const state = text(results, "dqEvaluationState") ?? "";
  if (state !== "FINISHED") return `the evaluation of its run at ${name} ${stateClause(state)}`;
  const [evaluation, monitor] = await Promise.all([
    side.evaluation(run),
    side.ask(() => client.quality.monitor(run.item, run.monitor)),
  ]);
  if (isUnread(evaluation)) return { unseen: evaluation.unread };
  if (evaluation === undefined) return `its run at ${name} has no evaluation results (404)`;
  if (isUnread(monitor)) return { unseen: monitor.unread };
  if (monitor === undefined) return `${name} does not have the monitor any more (404)`;
  return { evaluation, parts: partsOf(monitor) };
}
