import { join } from "node:path";
import type { Parties } from "../../model/mapping.ts";
import { pairFolder } from "./names.ts";
import { targetLockPath } from "./target-lock.ts";

export interface FileStoreOptions {
  /** The plan's name: its folder in `workDir`. */
  readonly plan: string;
  readonly parties: Parties;
  /** Holds `<plan name>/`: snapshot, diff, reports, events. */
  readonly workDir: string;
  /** Holds `<source>--<target>/`: mapping, journal, lock. */
  readonly mappingsDir: string;
}

/** Where the files of a plan are. Known to the store, and to whoever shows a person a file. */
export interface Places {
  readonly work: string;
  readonly snapshot: string;
  readonly target: string;
  readonly diff: string;
  /** What the last run has asked and was answered, where it wrote nothing. */
  readonly look: string;
  readonly learned: string;
  readonly events: string;
  readonly runs: string;
  /** What a diff found of rows, a file a table. */
  readonly records: string;
  readonly mapping: string;
  /** What is known of rows, and what runs did to them; git ignores it. */
  readonly rows: string;
  readonly journal: string;
  /** Objects as they were last applied. */
  readonly applied: string;
  /** Of the pair's files. */
  readonly lock: string;
  /** Of the target, whatever the source; taken before the pair's. */
  readonly targetLock: string;
}

export function placesOf({ plan, parties, workDir, mappingsDir }: FileStoreOptions): Places {
  const work = join(workDir, plan);
  const mapping = pairFolder(mappingsDir, parties.source.name, parties.target.name);
  return {
    work,
    snapshot: join(work, "snapshot"),
    target: join(work, "target"),
    diff: join(work, "diff.json"),
    look: join(work, "look.json"),
    learned: join(work, "capabilities.json"),
    events: join(work, "run.ndjson"),
    runs: join(work, "runs"),
    records: join(work, "records"),
    mapping,
    rows: join(mapping, "rows"),
    journal: join(mapping, "journal.ndjson"),
    applied: join(mapping, "applied.ndjson"),
    lock: join(mapping, "lock"),
    targetLock: targetLockPath(mappingsDir, parties.target),
  };
}
