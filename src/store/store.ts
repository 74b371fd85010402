import type { JournalRecord } from "../model/journal.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { MappingEntry, Party } from "../model/mapping.ts";
import type { PackedRows } from "../model/packed/rows.ts";
import type { Scratch } from "../model/packed/spool.ts";
import type { AbandonedList } from "./abandoned-list.ts";
import type { AppliedTrees, TreeToKeep } from "./applied-trees.ts";
import type { DecidedList } from "./decided-list.ts";
import type { KeptRun } from "./kept-run.ts";

import type {
  KnownRows,
  LogsKept,
  PrintSorter,
  RowLog,
  RowsDraft,
  RowsWriter,
  SortedPrints,
} from "./rows.ts";

/**
 * Where everything is kept that ferry must remember: the contract, which any place can fill. `files/` keeps it in
 * folders that people commit and review, `memory/` for as long as a process lives; a data base may follow.
 * `test/store/contract.ts` is the suite that each of them passes.
 *
 * What is opened to be looked things up in (`AppliedTrees`, `KnownRows`, `SortedPrints`, `SnapshotReader`) is at hand from then
 * on, and answers at once: a place that is far away brings it near when it is opened, into room of its own (`openScratch`).
 *
 * It has two parts. The shared state says what has happened at the target: all that works on one target must see the
 * same one, so whoever changes it holds a lease. The work of a plan (snapshots, diffs, reports, events) can be made again.
 */
export interface Store {
  readonly state: SharedState;
  readonly work: Work;
}

// ---- the shared state --------------------------------------------------------------------------------------

export interface OtherRow {
  /** For a person. */
  readonly folder: string;
  readonly kind: string;
  readonly source: string;
  /** Absent where a later word has taken the pair away. */
  readonly target?: string | undefined;
}

export interface SharedState {
  /** Proves, by doing it, that what is about to happen can be recorded. Throws StoreError. */
  prepare(): Promise<void>;
  /** Takes the target for one run, or says at once who has it. */
  lock(holder: Holder): Promise<LockResult>;
  /** Who has the target, or had it last; whether it is still held is not asked. For messages. */
  lastHolder(): Promise<Holder | undefined>;
  /**
   * Whether somebody has the target at this moment, undefined where that cannot be told. Nobody who wants it is refused
   * because it was asked. For messages: a moment later it may be otherwise.
   */
  isHeld(): Promise<boolean | undefined>;

  /** To go on with it. Every record that is given back is durable. */
  openJournal(lease: Lease, replay: (record: JournalRecord) => void): Promise<OpenedJournal>;
  /** To look at it, also while another run appends. */
  readJournal(): AsyncIterable<JournalRecord>;
  /** Keeps what is in the journal for a rollback, under the last run of each plan; then the journal may restart. */
  archive(lease: Lease, runs: readonly RunOfPlan[]): Promise<readonly NotKept[]>;
  /** What was kept for this plan, in the order in which it was written. */
  archives(): Promise<readonly Archive[]>;

  mapping(): Promise<StoredMapping>;
  /** Of kinds of which nothing is stored: refuses when the same two environments have a mapping of them under other names, or may have. */
  refuseOtherNames(kinds: readonly string[]): Promise<void>;
  /** What the same two environments have of these kinds under other names, in a mapping or in a journal behind it, as far as it can be read. */
  otherRows(kinds: readonly string[]): AsyncIterable<OtherRow>;
  /** Where rows of a table are known for the same two environments under other names, as a person finds it. */
  rowsElsewhere(table: string): Promise<string | undefined>;
  /** Writes what differs from what is stored. */
  saveMapping(lease: Lease, rows: Rows): Promise<void>;

  /** What a person decided to leave as it is. */
  abandoned(): Promise<AbandonedList>;
  saveAbandoned(lease: Lease, list: AbandonedList): Promise<void>;
  /** Whose version of an object a person wants; kept until it is so. */
  decided(): Promise<DecidedList>;
  saveDecided(lease: Lease, list: DecidedList): Promise<void>;
  /** Objects as they were last brought to the target, as far as that is known here; a help for people, no state. */
  openApplied(): Promise<AppliedTrees>;
  /** Of all of them, for whoever wants to know whether they are what they were; undefined where there are none to be read. */
  appliedDigest(): Promise<string | undefined>;
  appendApplied(lease: Lease, trees: readonly TreeToKeep[]): Promise<void>;

  /** What the rows of a table were as of the last apply; undefined where nothing is known. Tables go by a short name. */
  knownRows(table: string): Promise<KnownRows | undefined>;
  /** What changed, in the order of keys; what was known in another sense is forgotten. */
  saveKnownRows(lease: Lease, table: string, sense: string, changes: SortedPrints): Promise<void>;
  /** What a run does to rows goes here, and not into the journal: every command reads that one. */
  openRowLog(lease: Lease, table: string, run: string): Promise<Journal>;
  /** Nothing in it is open any more; it stays for a rollback. */
  closeRowLog(lease: Lease, table: string, run: string): Promise<void>;
  /** By table, in the order of their runs. */
  rowLogs(): Promise<readonly RowLog[]>;
  /**
   * Lets the oldest logs of a table go that nothing is open in; the newest one stays, however large it is. Gives their
   * runs; that they were there stays known.
   */
  dropRowLogs(lease: Lease, table: string, most: LogsKept): Promise<readonly string[]>;
}

/** Who holds the target: information for people and nothing else. */
export interface Holder {
  readonly owner: string;
  readonly host: string;
  readonly pid: number;
  readonly run: string;
  /** An operation may have none. */
  readonly plan?: string | undefined;
  /** ISO 8601. */
  readonly since: string;
}

/**
 * The right to change the shared state. Its token rises with every holder, so that what one that was overtaken still
 * writes is told from what its successor writes, and refused.
 */
export interface Lease {
  readonly token: number;
  release(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type LockResult =
  | { readonly ok: true; readonly lease: Lease }
  /** Somebody else has it; who, as far as that is known. */
  | { readonly ok: false; readonly holder?: Holder };

export interface Journal {
  /** Resolves when the record is durable. Appends that come while others are being made durable share the next time. */
  append(record: JournalRecord): Promise<void>;
  appendAll(records: readonly JournalRecord[]): Promise<void>;
  /** How often it was made durable, and how large it is. */
  readonly syncs: number;
  readonly bytes: number;
  /** Begins anew, with these, atomically. What is appended later lands in the new one. */
  restart(records?: readonly JournalRecord[]): Promise<void>;
  close(): Promise<void>;
}

export interface OpenedJournal {
  readonly journal: Journal;
  /** Bytes that a killed run or a power loss left half-written at the end, and that were cut: nobody had relied on them. */
  readonly cut: number;
}

export interface RunOfPlan {
  readonly plan: string;
  readonly run: string;
}

/** A run that could not be kept for a rollback, and why. */
export interface NotKept extends RunOfPlan {
  readonly summary: string;
  readonly suggestion: string;
}

export interface Archive {
  /** The run that it is named after. */
  readonly run: string;
  readonly records: () => AsyncIterable<JournalRecord>;
}

/** Rows of the mapping by kind and source id. */
export interface Rows {
  kinds(): readonly string[];
  entries(kind: string): ReadonlyMap<string, MappingEntry>;
}

export interface StoredMapping {
  /** Kinds that have, or had, rows. */
  kinds(): readonly string[];
  /** In little room, and the asker's own: whoever has them may change them. */
  rows(kind: string): Promise<PackedRows>;
  /** Of all rows: the same content has the same digest, whoever wrote it. Binds an approved diff. */
  digest(): string;
}

// ---- the work of a plan ------------------------------------------------------------------------------------

export interface SnapshotKept {
  readonly digest: string;
  /** How much of it is kept: another number where a part of it was lost; undefined where one is missing, or nothing can be lost. */
  readonly size: number | undefined;
}

export interface Work {
  prepare(): Promise<void>;
  /**
   * Room for what a run needs once more and nobody after it. It is there as long as somebody holds it, and nothing is
   * left of it, however the run ends.
   */
  openScratch(): Scratch;
  /** Begins a snapshot of a side; until it is finished the one before it stands. */
  createSnapshot(side: "source" | "target", at: string): Promise<SnapshotWriter>;
  /** The last export of the source, or one that a person names. Throws StoreError `not-found`. */
  openSnapshot(named?: string): Promise<SnapshotReader>;
  /** What the last diff came to. */
  saveDiff(diff: object): Promise<void>;
  /** As it was saved; undefined where there is none. */
  lastDiff(): Promise<unknown>;
  /** Of what the last diff says, however much that is, without a look at it; undefined where there is none to be read. */
  diffDigest(): Promise<string | undefined>;
  /** Of the last export of the source, without a look at its objects; undefined where there is none to be read. */
  snapshotKept(): Promise<SnapshotKept | undefined>;
  /** What the last run has asked and was answered, where it wrote nothing; undefined takes it away. It may be lost. */
  saveLook(look: object | undefined): Promise<void>;
  /** As it was saved; undefined where there is none, and where it is damaged. */
  lastLook(): Promise<unknown>;
  /** What the target was seen not to offer, such as `rules/patch`. */
  notOffered(): Promise<ReadonlySet<string>>;
  saveNotOffered(steps: ReadonlySet<string>): Promise<void>;
  /**
   * Keeps a run with its reports, by name; the same run again takes the place of what was kept of it. The reports of the
   * latest run stand where people look for them.
   */
  keepRun(run: KeptRun, reports: Readonly<Record<string, Report>>, isLatest: boolean): Promise<void>;
  /** In the order in which they began. */
  keptRuns(): Promise<readonly KeptRun[]>;
  /** Throws StoreError `not-found`. */
  keptReport(run: string, name: string): Promise<string>;
  dropRun(run: string): Promise<void>;

  /**
   * The changes of a table's rows. What was written here, or read here, stays as it is for whoever reads it here again,
   * until it is closed: what a person was asked about is what is done, whatever somebody else compares meanwhile.
   */
  writeRows(table: string): Promise<RowsWriter>;
  /** Some at a time. */
  readRows(table: string): AsyncIterable<readonly JsonObject[]>;
  /** `goOn`: with what was kept, where it is there and whole; without it, and otherwise, it begins with nothing. */
  draftRows(table: string, goOn: boolean): Promise<RowsDraft>;
  sortPrints(): Promise<PrintSorter>;
  /** How far the rows of a table are, for whoever looks; it may be lost. */
  saveRowsDone(table: string, done: JsonObject): Promise<void>;
  rowsDone(): Promise<ReadonlyMap<string, JsonObject>>;
  /** What a table's lines came to, for whoever goes on with a run that was killed; undefined takes it away. */
  saveRowsPlan(table: string, plan: JsonObject | undefined): Promise<void>;
  rowsPlan(table: string): Promise<JsonObject | undefined>;

  /** Lets go of what it holds; it can be used further. */
  close(): void;
}

/** A text, or its pieces one after the other: a report of many objects is never in memory as one text. */
export type Report = string | (() => Iterable<string>);

/** An object of a snapshot. */
export interface SnapshotObject {
  readonly urn: string;
  readonly name: string;
  /** What the service said, field by field. */
  readonly body: JsonObject;
  /** What the reader knows of it besides. */
  readonly meta?: JsonObject;
}

export interface SnapshotKind {
  readonly count: number;
  /** False when the listing failed, was cut or was forbidden: nothing may follow from an absence then. */
  readonly complete: boolean;
  readonly reason?: string;
  /** Members of its memberwise fields that the environment was asked for; of others nothing is known. Not a part of the digest. */
  readonly asked?: readonly string[];
  /** No list shows these: there are those alone that were read one by one. Not a part of the digest. */
  readonly unlisted?: true;
}

export interface SnapshotSummary {
  /** Whose it is. */
  readonly party: Party;
  /** When the reading began; ISO 8601. */
  readonly at: string;
  readonly kinds: Readonly<Record<string, SnapshotKind>>;
  /** The same for the same content, whatever the order in which the service listed it. */
  readonly digest: string;
  readonly notes: Json;
}

export interface SnapshotReader {
  readonly manifest: SnapshotSummary;
  /** Sorted. */
  kinds(): readonly string[];
  /** In the order in which they were added; there may be a million of them, so that each is made when it is asked for. */
  urns(kind: string): Iterable<string>;
  has(kind: string, urn: string): boolean;
  /** These three throw for an object that is not in the snapshot: ask `has` first. */
  name(kind: string, urn: string): string;
  meta(kind: string, urn: string): JsonObject | undefined;
  body(kind: string, urn: string): JsonObject;
  stream(kind: string): Iterable<SnapshotObject>;
  close(): void;
}

export interface SnapshotFinish {
  /** Every kind that was asked for, also one without objects. */
  readonly kinds: Readonly<Record<string, Omit<SnapshotKind, "count">>>;
  /** Anything else worth keeping. It is part of the digest: no times, please. */
  readonly notes: Json;
}

export interface SnapshotWriter {
  /** Await it when it is a promise: that is the back-pressure. A URN comes once per kind. */
  add(kind: string, object: SnapshotObject): void | Promise<void>;
  /** Puts the snapshot in its place, and opens it without reading it again. */
  finishAndOpen(info: SnapshotFinish): Promise<SnapshotReader>;
  /** Removes what was written. After the end it does nothing. */
  abandon(): Promise<void>;
}
