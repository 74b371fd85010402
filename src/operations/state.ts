import type { Replayed } from "../engine/settle/replay.ts";
import { Replay } from "../engine/settle/replay.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { keyText } from "../model/key.ts";
import { MappingTable } from "../model/mapping-table.ts";
import type { Holder, Journal, Lease } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import { locked, newRunId } from "./run.ts";
import { keepKilledRuns, RunTally } from "./unreported-runs.ts";

/** The mapping with everything that the journal adds to it. */
export interface State {
  readonly mapping: MappingTable;
  /** Of the mapping as it is stored, without the journal: binds an approved diff. */
  readonly digest: string;
  readonly replayed: Replayed;
}

export interface WritingState extends State {
  readonly lease: Lease;
  readonly journal: Journal;
  /** Records that earlier runs have left in the journal. */
  readonly recorded: number;
  /** Bytes of a half-written tail that were cut. */
  readonly cut: number;
}

/** For looking only: takes no lock and changes nothing. */
export async function readState(migration: Migration): Promise<State> {
  const { mapping, digest } = await storedMapping(migration);
  const replay = new Replay(mapping, digest);
  for await (const record of migration.store.state.readJournal()) replay.feed(record);
  const replayed = replay.result();
  remember(migration, { mapping, digest, replayed });
  return { mapping, digest, replayed };
}

/** Holds the target and opens what is known of it, to write with while `work` runs. */
export async function writing<T>(
  migration: Migration,
  work: (run: string, state: WritingState) => Promise<T>,
): Promise<T> {
  await migration.store.state.prepare();
  const before = await migration.store.state.lastHolder();
  const run = newRunId(migration.now(), await runsBefore(migration, before));
  return locked(migration, run, async (lease) => {
    // One client for the target, one token and one limit: whoever only reads it goes through the one that writes.
    migration.target();
    const state = await openState(migration, lease, before);
    try {
      return await work(run, state);
    } finally {
      await state.journal.close();
    }
  });
}

/** All that is on record of runs goes by the order of their names: their reports, what a rollback takes back, logs of rows. */
async function runsBefore(
  { store: { state, work } }: Migration,
  before: Holder | undefined,
): Promise<readonly string[]> {
  const found = [...(await state.rowLogs()), ...(await state.archives()), ...(await work.keptRuns())];
  // One that was killed has left no more than its name.
  return [...found, ...(before === undefined ? [] : [before])].map(({ run }) => run);
}

async function openState(
  migration: Migration,
  lease: Lease,
  before: Holder | undefined,
): Promise<WritingState> {
  const { mapping, digest } = await storedMapping(migration);
  const replay = new Replay(mapping, digest);
  const tally = new RunTally();
  let recorded = 0;
  const { journal, cut } = await migration.store.state.openJournal(lease, (record) => {
    recorded += 1;
    replay.feed(record);
    tally.feed(record);
  });
  const replayed = replay.result();
  await keepKilledRuns(migration, tally, before);
  remember(migration, { mapping, digest, replayed });
  return { mapping, digest, replayed, lease, journal, recorded, cut };
}

function remember(
  migration: Migration,
  { mapping, digest, replayed: { doubts, displaced, untold } }: State,
): void {
  migration.mapping = mapping;
  migration.storedDigest = digest;
  migration.displaced = displaced;
  migration.untold = untold;
  migration.doubted = new Set(doubts.map(({ kind, item }) => keyText(kind, item.source)));
  migration.remember([...mapping.kinds(), ...doubts.map(({ kind }) => kind)]);
}

async function storedMapping(
  migration: Migration,
): Promise<{ readonly mapping: MappingTable; readonly digest: string }> {
  const stored = await migration.store.state.mapping();
  const mapping = new MappingTable((kind) => migration.registry.owns(kind));
  for (const kind of stored.kinds()) mapping.adopt(kind, await stored.rows(kind));
  return { mapping, digest: stored.digest() };
}

/** What the rows are now becomes what is stored. */
export async function saveMapping(migration: Migration, { lease, mapping }: WritingState): Promise<void> {
  await migration.store.state.saveMapping(lease, mapping);
}

/** What a run that was killed while it wrote has left at the end of the journal. */
export function tailCut({ cut }: Pick<WritingState, "cut">): readonly Diagnostic[] {
  if (cut === 0) return [];
  const summary = `${cut} bytes at the end of the journal were half-written and cut; nothing had relied on them`;
  return [{ severity: "info", code: "journal-tail-cut", summary }];
}
