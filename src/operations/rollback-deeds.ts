import type { Deed } from "../engine/undo/deeds.ts";
import { Deeds } from "../engine/undo/deeds.ts";
import { EngineError } from "../engine/progress.ts";
import type { RunRecord } from "../model/journal.ts";
import { readJournal } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import type { Archive } from "./runs.ts";
import { archivedRuns } from "./runs.ts";

/** What one run did, newest first. */
export interface Undone {
  readonly run: string;
  readonly deeds: readonly Deed[];
}

/** Commands whose runs write nothing of their own that could be taken back, or take back themselves. */
const notMeant: ReadonlySet<string> = new Set(["rollback", "resolve"]);

/**
 * Without a name: the last run that was not a rollback itself. A run that went on with an interrupted one answers for
 * both, by the name of either; for another plan's it never does.
 */
export async function deedsOf(
  migration: Migration,
  wanted: string | undefined,
  current: readonly Archive[] = [],
): Promise<Undone> {
  const archives = [...(await archivedRuns(migration)), ...current];
  const isName = wanted !== undefined && archives.some(({ run }) => run === wanted);
  for (const archive of archives.toReversed()) {
    if (isName && archive.run !== wanted) continue;
    const runs = await runsIn(migration, archive);
    const named = runs.find(({ run }) => run === wanted);
    if (named !== undefined && named.plan !== migration.plan.name) throw another(named);
    const own = runs.filter(({ plan }) => plan === migration.plan.name);
    const isBack = wanted !== undefined && isRollback(named ?? own.at(-1));
    const meant = own.filter(({ command }) => (isBack ? command === "rollback" : !notMeant.has(command)));
    const isIt = wanted === undefined ? meant.length > 0 : isName || named !== undefined;
    if (!isIt) continue;
    const names = new Set(meant.map(({ run }) => run));
    const deeds = new Deeds((run) => names.has(run));
    for await (const record of readJournal(archive.path, { parties: migration.parties })) deeds.feed(record);
    return { run: named?.run ?? meant.at(-1)?.run ?? archive.run, deeds: deeds.newestFirst() };
  }
  const known = archives.map(({ run }) => run);
  throw new EngineError(
    "selection",
    wanted === undefined ? "there is no run to take back" : `there is no run ${wanted}`,
    known.length === 0 ? "No run of this plan is on record here." : `Runs: ${known.slice(-10).join(", ")}.`,
  );
}

async function runsIn(migration: Migration, { path }: Archive): Promise<readonly RunRecord[]> {
  const runs: RunRecord[] = [];
  for await (const record of readJournal(path, { parties: migration.parties }))
    if (record.type === "run") runs.push(record);
  return runs;
}

function isRollback(run: RunRecord | undefined): boolean {
  return run?.command === "rollback";
}

function another({ run, plan }: RunRecord): EngineError {
  return new EngineError(
    "selection",
    `the run ${run} belongs to the plan "${plan}"`,
    `Run: ferry rollback ${plan} --run ${run}`,
  );
}
