import { basename, dirname, join } from "node:path";
import type { JournalRecord } from "../../model/journal.ts";
import type { Parties } from "../../model/mapping.ts";
import type { PackedRows } from "../../model/packed/rows.ts";
import type { AbandonedList } from "../abandoned-list.ts";
import type { StoreHooks } from "../hooks.ts";
import type { KnownRows, LogsKept, RowLog, SortedPrints } from "../rows.ts";
import { isMissing, StoreError } from "../store-error.ts";
import type {
  Archive,
  Holder,
  Journal,
  Lease,
  LockResult,
  NotKept,
  OpenedJournal,
  OtherRow,
  Rows,
  RunOfPlan,
  SharedState,
  StoredMapping,
} from "../store.ts";
import type { AppliedTrees, TreeToKeep } from "../applied-trees.ts";
import type { DecidedList } from "../decided-list.ts";
import type { Looked } from "./applied.ts";
import { appendApplied, readApplied } from "./applied.ts";
import { refuseDeadLinks } from "./dead-links.ts";
import { readDecided, writeDecided } from "./decided.ts";
import { readAbandoned, writeAbandoned } from "./abandoned.ts";
import { archiveJournal } from "./archive.ts";
import type { Disk } from "./disk.ts";
import { fileDigest } from "./file-digest.ts";
import type { Folders } from "./folder.ts";
import { ioError } from "./io-error.ts";
import { openJournal, readJournal } from "./journal.ts";
import { refuseLost, takeLocks } from "./lease.ts";
import { statOrNothing } from "./stat.ts";
import { readLockNote } from "./lock-note.ts";
import type { MappingStore } from "./mapping-store.ts";
import { openMappingStore } from "./mapping-store.ts";
import { refuseCutUrns } from "./mapping-check.ts";
import { packEntries } from "./mapping-format.ts";
import { keepFromGit } from "./not-for-git.ts";
import { folderOfRows, otherRows, refuseOtherNames } from "./other-names.ts";
import type { Places } from "./places.ts";
import { readKnownRows, writeKnownRows } from "./rows/known-rows.ts";
import { refuseBadTable, RowLogs } from "./rows/logs.ts";
import { sweepTemporaries } from "./temporary.ts";

export interface FileStateOptions {
  readonly disk: Disk;
  readonly folders: Folders;
  readonly places: Places;
  /** The plan's name. */
  readonly plan: string;
  readonly parties: Parties;
  /** Name and version, for the files. */
  readonly tool: string;
  readonly hooks?: StoreHooks | undefined;
}

/** The shared state in the folder of a pair of environments: lowdb files to be reviewed, NDJSON, locks of the system. */
export class FileState implements SharedState {
  /** Of what was last applied. */
  readonly #looked: Looked = { size: 0 };
  readonly #options: FileStateOptions;
  readonly #logs: RowLogs;
  #mapping: MappingStore | undefined;

  constructor(options: FileStateOptions) {
    this.#options = options;
    const { disk, places, tool, parties, hooks } = options;
    this.#logs = new RowLogs({ disk, folder: places.rows, tool, parties, hooks });
  }

  async prepare(): Promise<void> {
    const { disk, folders, places } = this.#options;
    await refuseDeadLinks(disk, [dirname(places.mapping), places.mapping]);
    await folders.ensureWritable(places.mapping);
    await keepFromGit(disk, dirname(places.mapping));
    await folders.ensureWritable(places.runs);
  }

  async lock(holder: Holder): Promise<LockResult> {
    const { disk, places, hooks } = this.#options;
    const result = takeLocks(disk, [places.targetLock, places.lock], holder);
    if (result.ok) await hooks?.reached("lock:after-acquire");
    return result;
  }

  async lastHolder(): Promise<Holder | undefined> {
    const { disk, places } = this.#options;
    return readLockNote(places.targetLock, disk) ?? readLockNote(places.lock, disk);
  }

  async isHeld(): Promise<boolean | undefined> {
    const { disk, places } = this.#options;
    return disk.isLocked(places.targetLock);
  }

  async openJournal(lease: Lease, replay: (record: JournalRecord) => void): Promise<OpenedJournal> {
    const { disk, places, tool, parties, hooks } = this.#options;
    refuseLost(lease, places.journal);
    await sweepTemporaries(disk, places.mapping);
    const isNew = (await statOrNothing(disk, places.journal)) === undefined;
    const { journal, cut } = await openJournal(places.journal, {
      tool,
      parties,
      replay,
      disk,
      ...(hooks === undefined ? {} : { hooks }),
    });
    const remove = async (): Promise<void> => disk.rm(places.journal, { force: true });
    return {
      journal: new LeasedJournal(journal, lease, places.journal, isNew ? remove : undefined),
      cut: cut?.bytes ?? 0,
    };
  }

  readJournal(): AsyncIterable<JournalRecord> {
    const { disk, places, parties } = this.#options;
    return readJournal(places.journal, { parties, disk });
  }

  /**
   * The journal belongs to the pair of environments, and a run that was interrupted may be another plan's: that plan
   * gets a copy under its own last run, as far as its folder takes one.
   */
  async archive(lease: Lease, runs: readonly RunOfPlan[]): Promise<readonly NotKept[]> {
    const { disk, places, plan: own } = this.#options;
    refuseLost(lease, places.journal);
    const notKept: NotKept[] = [];
    for (const [plan, run] of new Map(runs.map((one) => [one.plan, one.run]))) {
      const folder = this.#runsFolder(plan);
      if (folder === undefined) continue;
      try {
        await archiveJournal(places.journal, folder, run, disk);
      } catch (error) {
        if (plan === own || !(error instanceof StoreError)) throw error;
        const suggestion = `Make ${folder} a folder that can be written to.`;
        notKept.push({ plan, run, summary: error.message, suggestion });
      }
    }
    return notKept;
  }

  /** By their names: the times of files are others where they were copied, or came back from a cache. */
  async archives(): Promise<readonly Archive[]> {
    const { disk, places, parties } = this.#options;
    const found = await archivesIn(disk, places.runs);
    return found.map(({ run, path }) => ({ run, records: () => readJournal(path, { parties, disk }) }));
  }

  async mapping(): Promise<StoredMapping> {
    const store = await this.#open();
    return {
      kinds: () => store.kinds(),
      rows: (kind) => rowsOf(store, kind, join(this.#options.places.mapping, `${kind}.json`)),
      digest: () => store.digest(),
    };
  }

  async refuseOtherNames(kinds: readonly string[]): Promise<void> {
    const { places, disk, tool, parties } = this.#options;
    await refuseOtherNames(places.mapping, kinds, { disk, tool, parties });
  }

  otherRows(kinds: readonly string[]): AsyncIterable<OtherRow> {
    const { places, disk, tool, parties } = this.#options;
    return otherRows(places.mapping, kinds, { disk, tool, parties });
  }

  async rowsElsewhere(table: string): Promise<string | undefined> {
    const { places, disk, parties } = this.#options;
    return folderOfRows(places.mapping, table, { disk, parties });
  }

  /** Every kind that has or had rows is looked at; files whose content is the same are left alone. */
  async saveMapping(lease: Lease, rows: Rows): Promise<void> {
    refuseLost(lease, this.#options.places.mapping);
    const store = this.#mapping ?? (await this.#open());
    for (const kind of new Set([...store.kinds(), ...rows.kinds()])) {
      if (rows.entries(kind).size > 0 || store.kinds().includes(kind))
        await store.save(kind, rows.entries(kind));
    }
  }

  async abandoned(): Promise<AbandonedList> {
    const { disk, places, parties } = this.#options;
    return readAbandoned(places.mapping, parties, disk);
  }

  async saveAbandoned(lease: Lease, list: AbandonedList): Promise<void> {
    const { disk, places, parties, tool } = this.#options;
    refuseLost(lease, places.mapping);
    await writeAbandoned(places.mapping, { tool, parties }, list, disk);
  }

  async knownRows(table: string): Promise<KnownRows | undefined> {
    const { disk, parties } = this.#options;
    return readKnownRows(disk, this.#printsPath(table), parties);
  }

  async saveKnownRows(lease: Lease, table: string, sense: string, changes: SortedPrints): Promise<void> {
    const { disk, places, parties, tool, hooks } = this.#options;
    refuseLost(lease, places.rows);
    await this.#logs.prepare();
    const before = await this.knownRows(table);
    const path = this.#printsPath(table);
    await writeKnownRows(disk, path, before, changes, { tool, parties, sense }, hooks);
    before?.close();
  }

  async openRowLog(lease: Lease, table: string, run: string): Promise<Journal> {
    const { places } = this.#options;
    refuseLost(lease, places.rows);
    return new LeasedJournal(await this.#logs.open(table, run), lease, places.rows);
  }

  async closeRowLog(lease: Lease, table: string, run: string): Promise<void> {
    refuseLost(lease, this.#options.places.rows);
    await this.#logs.close(table, run);
  }

  async rowLogs(): Promise<readonly RowLog[]> {
    return this.#logs.list();
  }

  async dropRowLogs(lease: Lease, table: string, most: LogsKept): Promise<readonly string[]> {
    refuseLost(lease, this.#options.places.rows);
    return this.#logs.drop(table, most);
  }

  #printsPath(table: string): string {
    const { rows } = this.#options.places;
    refuseBadTable(table, rows);
    return join(rows, `${table}.prints`);
  }

  async decided(): Promise<DecidedList> {
    const { disk, places, parties } = this.#options;
    return readDecided(disk, places.mapping, parties);
  }

  async saveDecided(lease: Lease, list: DecidedList): Promise<void> {
    const { disk, places, parties, tool } = this.#options;
    refuseLost(lease, places.mapping);
    await writeDecided(disk, places.mapping, { tool, parties }, list);
  }

  async openApplied(): Promise<AppliedTrees> {
    return readApplied(this.#options.disk, this.#options.places.applied);
  }

  async appliedDigest(): Promise<string | undefined> {
    return fileDigest(this.#options.disk, this.#options.places.applied);
  }

  async appendApplied(lease: Lease, trees: readonly TreeToKeep[]): Promise<void> {
    const { disk, places } = this.#options;
    refuseLost(lease, places.applied);
    await appendApplied(disk, places.applied, trees, this.#looked);
  }

  /** Kept for the save that follows: its files are known then. */
  async #open(): Promise<MappingStore> {
    const { disk, places, parties, tool, hooks } = this.#options;
    this.#mapping = await openMappingStore(places.mapping, {
      tool,
      parties,
      sweep: false,
      disk,
      ...(hooks === undefined ? {} : { hooks }),
    });
    return this.#mapping;
  }

  /** A plan's name is a folder's; anything else in a journal is no place to write to. */
  #runsFolder(plan: string): string | undefined {
    const { places, plan: own } = this.#options;
    if (plan === own) return places.runs;
    if (plan === "" || plan.startsWith(".") || /[/\\]/.test(plan)) return undefined;
    return join(dirname(places.work), plan, basename(places.runs));
  }
}

async function rowsOf(store: MappingStore, kind: string, path: string): Promise<PackedRows> {
  const rows = packEntries(await store.entries(kind));
  refuseCutUrns(path, rows);
  return rows;
}

async function archivesIn(
  disk: Disk,
  folder: string,
): Promise<readonly { readonly run: string; readonly path: string }[]> {
  try {
    const files = (await disk.readdir(folder)).filter((file) => file.endsWith(".ndjson")).sort();
    return files.map((file) => ({ run: file.slice(0, -".ndjson".length), path: join(folder, file) }));
  } catch (error) {
    if (isMissing(error)) return [];
    throw ioError(error, folder, "read");
  }
}

/** A journal that nobody writes to who does not hold the lease. */
class LeasedJournal implements Journal {
  readonly #journal: Journal;
  readonly #lease: Lease;
  readonly #path: string;
  /**
   * Of one that was made just now, as long as nothing stands in it: whoever signs in nowhere, since an address is wrong,
   * leaves nothing that belongs to that address.
   */
  #remove: (() => Promise<void>) | undefined;

  constructor(journal: Journal, lease: Lease, path: string, remove?: () => Promise<void>) {
    this.#journal = journal;
    this.#lease = lease;
    this.#path = path;
    this.#remove = remove;
  }

  get syncs(): number {
    return this.#journal.syncs;
  }

  get bytes(): number {
    return this.#journal.bytes;
  }

  append(record: JournalRecord): Promise<void> {
    return this.appendAll([record]);
  }

  async appendAll(records: readonly JournalRecord[]): Promise<void> {
    refuseLost(this.#lease, this.#path);
    if (records.length > 0) this.#remove = undefined;
    await this.#journal.appendAll(records);
  }

  async restart(records?: readonly JournalRecord[]): Promise<void> {
    refuseLost(this.#lease, this.#path);
    await this.#journal.restart(records);
  }

  async close(): Promise<void> {
    await this.#journal.close();
    const remove = this.#remove;
    this.#remove = undefined;
    if (remove === undefined) return;
    try {
      refuseLost(this.#lease, this.#path);
      await remove();
    } catch {
      // One that stays is empty; where somebody else has the target by now it is theirs.
    }
  }
}
