import type { Diagnostic } from "../model/diagnostic.ts";
import type { RunRecord } from "../model/journal.ts";
import type { Lease, RunOfPlan } from "../store/index.ts";
import type { Migration } from "./migration.ts";

/** Keeps the journal for a rollback before it restarts. */
export async function archiveRuns(
  migration: Migration,
  lease: Lease,
  runs: readonly RunOfPlan[],
): Promise<readonly Diagnostic[]> {
  const notKept = await migration.store.state.archive(lease, runs);
  return notKept.map(({ plan, run, summary, suggestion }) => ({
    severity: "warning",
    code: "run-not-kept",
    summary: `the run ${run} of the plan "${plan}" could not be kept for a rollback: ${summary}`,
    suggestion,
  }));
}

/** What was done of one approved diff, by the runs that did it. */
export interface DoneOfDiff {
  /** Runs, also interrupted ones, that applied it. */
  readonly runs: ReadonlySet<string>;
  /** Those in which a person decided what became of what one of these had sent. */
  readonly decided: ReadonlySet<string>;
}

export async function runsOfDiff(
  migration: Migration,
  digest: string,
  current: readonly RunRecord[],
): Promise<DoneOfDiff> {
  const found = { runs: new Set<string>(), decided: new Set<string>() };
  const learn = (records: readonly RunRecord[]): void => {
    let isBegun = false;
    for (const { run, diff, command } of records) {
      isBegun ||= diff === digest;
      if (diff === digest) found.runs.add(run);
      else if (isBegun && command === "resolve") found.decided.add(run);
    }
  };
  learn(current);
  for (const { records } of await migration.store.state.archives()) {
    const kept: RunRecord[] = [];
    for await (const record of records()) if (record.type === "run") kept.push(record);
    learn(kept);
  }
  return found;
}
