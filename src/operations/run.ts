import { randomBytes } from "node:crypto";
import { hostname, userInfo } from "node:os";
import type { Journalling } from "../engine/apply/recorder.ts";
import { Recorder } from "../engine/apply/recorder.ts";
import type { SettlerOptions } from "../engine/settle/settler.ts";
import { Settler } from "../engine/settle/settler.ts";
import { EngineError } from "../engine/progress.ts";
import { display } from "../model/display.ts";
import type { JournalRecord, RunRecord } from "../model/journal.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { ReadClient } from "../service/index.ts";
import type { Holder, Journal, Lease } from "../store/index.ts";
import { timeInName } from "../store/index.ts";
import type { Migration } from "./migration.ts";

/**
 * Sorts by time, also within a second, and never collides: 2026-11-21T08-45-00-123Z-3f2a9c. `others`: runs before it, behind which it
 * comes, whatever the clock says.
 */
export function newRunId(clock: number, others: Iterable<string> = []): string {
  let now = clock;
  for (const run of others) {
    const time = Date.parse(timeInName(run) ?? "");
    if (time >= now) now = time + 1;
  }
  const time = new Date(now).toISOString().replaceAll(/[:.]/g, "-");
  return `${time}-${randomBytes(3).toString("hex")}`;
}

/** Another run holds the lock. */
export class LockedError extends Error {
  readonly holder: Holder | undefined;

  constructor(holder: Holder | undefined) {
    super(`${holder === undefined ? "another run" : describeHolder(holder)} is working on this target`);
    this.name = "LockedError";
    this.holder = holder;
  }
}

/** In the middle of a sentence, with the commas around what is known of it. */
export function describeHolder({ run, plan, owner, host, pid, since }: Holder): string {
  const which = plan === undefined ? run : `${run} of the plan "${display(plan)}"`;
  return `the run ${which} of ${owner} on ${host} (process ${pid}), since ${since},`;
}

/** Holds the target while `work` runs, so that no two runs change one target at a time. */
export async function locked<T>(
  migration: Migration,
  run: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const result = await migration.store.state.lock({
    owner: owner(),
    host: hostname(),
    pid: process.pid,
    run,
    plan: migration.plan.name,
    since: new Date(migration.now()).toISOString(),
  });
  if (!result.ok) throw new LockedError(result.holder);
  try {
    return await work(result.lease);
  } finally {
    await result.lease.release();
  }
}

let user: string | undefined;

/** Looked up once: it is the system's list of users that is read. */
export function owner(): string {
  user ??= userName();
  return user;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown"; // A container may run under a number that has no name.
  }
}

/** Writes the run's own record before its first other one, so that a run without work leaves no trace. */
export class RunJournal {
  readonly #journal: Journal;
  readonly #begin: JournalRecord;
  readonly #onBegin: () => void;
  #begun: Promise<void> | undefined;

  constructor(journal: Journal, begin: JournalRecord, onBegin: () => void) {
    this.#journal = journal;
    this.#begin = begin;
    this.#onBegin = onBegin;
  }

  get wrote(): boolean {
    return this.#begun !== undefined;
  }

  async append(record: JournalRecord): Promise<void> {
    if (this.#begun === undefined) {
      this.#onBegin();
      this.#begun = this.#journal.append(this.#begin);
      this.#begun.catch(() => {}); // Reported by the append that follows it.
    }
    await this.#journal.append(record);
  }
}

export function interrupted(): EngineError {
  return new EngineError(
    "interrupted",
    "interrupted before anything was changed",
    "Run the same command again to continue.",
  );
}

/** The records of one run; nothing is written before its first one. */
export function beginRun(
  migration: Migration,
  journal: Journal,
  run: Pick<RunRecord, "run" | "command" | "diff" | "narrowed" | "mayDelete" | "follows">,
): RunJournal {
  const begin: JournalRecord = {
    type: "run",
    at: new Date(migration.now()).toISOString(),
    plan: migration.plan.name,
    tool: migration.tool,
    parties: migration.parties,
    ...(migration.narrowed === "" ? {} : { narrowed: migration.narrowed }),
    ...(migration.storedDigest === undefined ? {} : { mapping: migration.storedDigest }),
    ...run,
  };
  return new RunJournal(journal, begin, () => {
    migration.begun = run.run;
  });
}

export function recorderFor(
  migration: Migration,
  run: string,
  journal: Journalling,
  mapping: MappingTable,
): Recorder {
  return new Recorder({
    run,
    journal,
    mapping,
    now: () => new Date(migration.now()),
    hooks: migration.hooks,
  });
}

/** `client` may be one that cannot write: to settle is to look. */
export async function settlerFor(
  migration: Migration,
  client: ReadClient,
  mapping: MappingTable,
  baseline: SettlerOptions["baseline"],
): Promise<Settler> {
  const { now, sleep, report } = migration;
  const registry = await migration.kinds("target");
  const { quietPeriodMs } = migration.plan.limits;
  return new Settler({ client, registry, mapping, baseline, quietPeriodMs, now, sleep, report });
}
