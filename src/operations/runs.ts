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

/** Runs, also interrupted ones, that applied one approved diff. */
export async function runsOfDiff(
  migration: Migration,
  digest: string,
  current: readonly RunRecord[],
): Promise<ReadonlySet<string>> {
  const runs = new Set(current.filter((run) => run.diff === digest).map((run) => run.run));
  for (const { records } of await migration.store.state.archives()) {
    for await (const record of records()) {
      if (record.type === "run" && record.diff === digest) runs.add(record.run);
    }
  }
  return runs;
}
