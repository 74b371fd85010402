import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RunRecord } from "../model/journal.ts";
import { readJournal } from "../store/index.ts";
import type { Job } from "./job.ts";

/** The archives of runs that ended, oldest first. */
export async function archivedRuns(
  job: Job,
): Promise<readonly { readonly run: string; readonly path: string }[]> {
  try {
    const files = await readdir(job.paths.runs);
    return files
      .filter((file) => file.endsWith(".ndjson"))
      .sort()
      .map((file) => ({ run: file.slice(0, -".ndjson".length), path: join(job.paths.runs, file) }));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Runs, also interrupted ones, that applied one approved diff. */
export async function runsOfDiff(
  job: Job,
  digest: string,
  current: readonly RunRecord[],
): Promise<ReadonlySet<string>> {
  const runs = new Set(current.filter((run) => run.diff === digest).map((run) => run.run));
  for (const { path } of await archivedRuns(job)) {
    for await (const record of readJournal(path, { parties: job.parties })) {
      if (record.type === "run" && record.diff === digest) runs.add(record.run);
    }
  }
  return runs;
}
