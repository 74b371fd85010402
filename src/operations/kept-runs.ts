import { hostname } from "node:os";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import type { KeptRun, Report, RunBy, Work } from "../store/index.ts";
import { inOrder, StoreError } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import { doneOf } from "./result.ts";
import { isCalled } from "./run-name.ts";
import { newRunId, owner } from "./run.ts";
import { unreportedRuns } from "./unreported-runs.ts";

/** Runs that wrote are what people come back to; of the others the last few are enough. */
const most = { wrote: 50, looked: 20 } as const;

type Env = Readonly<Record<string, string | undefined>>;

/** In a pipeline the job stands for the person, as far as the runner tells. */
export function whoRuns(env: Env): RunBy {
  const known = (name: string): string | undefined => (env[name] === "" ? undefined : env[name]);
  const github =
    known("GITHUB_RUN_ID") === undefined
      ? undefined
      : `${known("GITHUB_SERVER_URL") ?? "https://github.com"}/${known("GITHUB_REPOSITORY") ?? ""}/actions/runs/${known("GITHUB_RUN_ID") ?? ""}`;
  const job = github ?? known("CI_JOB_URL") ?? known("BUILD_URL") ?? (known("CI") && "CI");
  const user = known("GITHUB_ACTOR") ?? known("GITLAB_USER_LOGIN") ?? owner();
  return { user, host: hostname(), ...(job === undefined ? {} : { job }) };
}

/** What is kept of a result beside its reports. */
export function keptRunOf(
  result: Result,
  run: {
    readonly startedAt: number;
    readonly command: string;
    readonly by: RunBy;
    /** Names of those that are kept: one that wrote nothing has got no name yet. */
    readonly others: readonly string[];
  },
): KeptRun {
  const isDeclined = result.diagnostics.some(({ code }) => code === "not-confirmed");
  const isPartial = result.changes.some(({ outcome }) => outcome !== undefined && outcome !== "done");
  return {
    run: result.run ?? newRunId(run.startedAt, run.others),
    at: new Date(run.startedAt).toISOString(),
    command: run.command,
    by: run.by,
    exitCode: result.exitCode,
    ...(isDeclined ? { declined: true } : {}),
    headline: headlineOf(result),
    summary: result.summary,
    ...(isPartial ? { done: doneOf(result.changes) } : {}),
    writes: result.requests.target.writes,
    durationMs: result.durationMs,
  };
}

/** Of one that could not go on the diagnostics alone say why: who asks later reads that line and nothing else. */
function headlineOf({ headline = "", changes, diagnostics }: Result): string {
  const [first] = diagnostics;
  if (changes.length > 0 || first?.severity !== "error") return headline;
  // What is wrong begins no sentence: a path, or a request.
  const isOneSentence = headline.indexOf(".") === headline.length - 1;
  return `${isOneSentence ? headline.replace(/\.$/, ":") : headline} ${first.summary}.`.trimStart();
}

/**
 * Keeps a run, and lets the oldest of its sort go. What began later than this one has ended goes before all others: the clock was wrong
 * then, and what is kept from here on would count as older than any of it, and go at once.
 */
export async function keepRun(
  work: Work,
  run: KeptRun,
  reports: Readonly<Record<string, Report>>,
  isLatest: boolean,
): Promise<void> {
  await work.keepRun(run, reports, isLatest);
  const all = await work.keptRuns();
  const ended = new Date(Date.parse(run.at) + run.durationMs).toISOString();
  const runs = [...all.filter(({ at }) => at > ended), ...all.filter(({ at }) => at <= ended)];
  const looked = runs.filter(({ writes }) => writes === 0);
  // What was mistyped says nothing of either side: it goes before any that looked at them.
  const byWorth = [
    ...looked.filter(({ exitCode }) => exitCode === exitCodes.usage),
    ...looked.filter(({ exitCode }) => exitCode !== exitCodes.usage),
  ];
  const old = [
    ...runs.filter(({ writes }) => writes > 0).slice(0, -most.wrote),
    ...byWorth.slice(0, -most.looked),
  ];
  for (const { run: id } of old) await work.dropRun(id);
}

/** Those that told how they ended, and those that did not, as far as the journal knows them. */
async function allRuns(migration: Pick<Migration, "store" | "plan">): Promise<readonly KeptRun[]> {
  const kept = await migration.store.work.keptRuns();
  const unreported = await unreportedRuns(migration, new Set(kept.map(({ run }) => run)));
  return inOrder([...kept, ...unreported]);
}

/** The run that a person means: the last one, one by its name, or by a beginning or end of it that only one has. */
export async function keptRunNamed(
  migration: Pick<Migration, "store" | "plan">,
  named: string | undefined,
): Promise<KeptRun> {
  const plan = migration.plan.name;
  const runs = await allRuns(migration);
  const fitting =
    named === undefined
      ? runs.slice(-1)
      : runs.filter(({ run }) => run === named).length === 1
        ? runs.filter(({ run }) => run === named)
        : runs.filter(({ run }) => isCalled(run, named));
  const [found, ...others] = fitting;
  if (found !== undefined && others.length === 0) return found;
  const what =
    named === undefined ? `no run of ${plan} is kept` : `no kept run of ${plan} is called ${named}`;
  const several = `${fitting.length} kept runs of ${plan} begin or end with ${named ?? ""}: ${fitting.map(({ run }) => run).join(", ")}`;
  throw new StoreError(
    "not-found",
    named ?? "",
    found === undefined ? what : several,
    named === undefined
      ? "Runs are kept from the first `ferry diff`, `apply`, `sync`, `verify` or `rollback` on."
      : `\`ferry runs ${plan}\` lists those that are kept.`,
  );
}

/** A run that is on record; of those that no report was kept of only the name is known. */
export interface RunOnRecord extends Partial<KeptRun> {
  readonly run: string;
  /** `rollback --run` can take it back. */
  readonly canBeTakenBack: boolean;
}

/** All runs on record, the last one at the end. */
export async function runsOf(migration: Pick<Migration, "store" | "plan">): Promise<readonly RunOnRecord[]> {
  const { store } = migration;
  const kept = await allRuns(migration);
  const archived = (await store.state.archives()).map(({ run }) => run);
  const known = new Set(kept.map(({ run }) => run));
  const older = archived.filter((run) => !known.has(run));
  return inOrder<RunOnRecord>([
    ...older.map((run) => ({ run, canBeTakenBack: true })),
    ...kept.map((run) => ({ ...run, canBeTakenBack: archived.includes(run.run) })),
  ]);
}
