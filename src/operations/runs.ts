import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RunRecord } from "../model/journal.ts";
import { archiveJournal, readJournal, StoreError } from "../store/index.ts";
import type { Migration } from "./migration.ts";

export interface Archive {
  /** The run that it is named after. */
  readonly run: string;
  readonly path: string;
}

/**
 * The archives of runs that ended, in the order in which they were written. A name alone says when the clock thought
 * that the run began: a clock that went back would make an older run the last one.
 */
export async function archivedRuns(migration: Migration): Promise<readonly Archive[]> {
  try {
    const files = (await readdir(migration.paths.runs)).filter((file) => file.endsWith(".ndjson"));
    const found = await Promise.all(
      files.map(async (file) => {
        const path = join(migration.paths.runs, file);
        return { run: file.slice(0, -".ndjson".length), path, written: (await stat(path)).mtimeMs };
      }),
    );
    return found
      .sort((left, right) => left.written - right.written || (left.run < right.run ? -1 : 1))
      .map(({ run, path }) => ({ run, path }));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Keeps the journal for a rollback before it restarts. It belongs to the pair of environments, and a run that was
 * interrupted may be another plan's: that plan gets a copy under its own last run, as far as its folder takes one.
 */
export async function archiveRuns(
  migration: Migration,
  runs: readonly Pick<RunRecord, "plan" | "run">[],
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const last = new Map(runs.map(({ plan, run }) => [plan, run]));
  for (const [plan, run] of last) {
    const folder = runsFolder(migration, plan);
    if (folder === undefined) continue;
    try {
      await archiveJournal(migration.paths.journal, folder, run);
    } catch (error) {
      if (plan === migration.plan.name || !(error instanceof StoreError)) throw error;
      diagnostics.push({
        severity: "warning",
        code: "run-not-kept",
        summary: `the run ${run} of the plan "${plan}" could not be kept for a rollback: ${error.message}`,
        suggestion: `Make ${folder} a folder that can be written to.`,
      });
    }
  }
  return diagnostics;
}

/** A plan's name is a folder's; anything else in a journal is no place to write to. */
function runsFolder({ paths, plan: own }: Migration, plan: string): string | undefined {
  if (plan === own.name) return paths.runs;
  if (plan === "" || plan.startsWith(".") || /[/\\]/.test(plan)) return undefined;
  return join(dirname(paths.work), plan, "runs");
}

/** Runs, also interrupted ones, that applied one approved diff. */
export async function runsOfDiff(
  migration: Migration,
  digest: string,
  current: readonly RunRecord[],
): Promise<ReadonlySet<string>> {
  const runs = new Set(current.filter((run) => run.diff === digest).map((run) => run.run));
  for (const { path } of await archivedRuns(migration)) {
    for await (const record of readJournal(path, { parties: migration.parties })) {
      if (record.type === "run" && record.diff === digest) runs.add(record.run);
    }
  }
  return runs;
}
