import type { JournalRecord } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { PackedRows } from "../../model/packed/rows.ts";
import { stableText, digest } from "../../model/canonical.ts";
import type { Json } from "../../model/json.ts";
import { parseJson } from "../../model/json-text.ts";
import { AbandonedList } from "../abandoned-list.ts";
import type { Abandoned } from "../abandoned-list.ts";
import type { AppliedTree, AppliedTrees, TreeToKeep } from "../applied-trees.ts";
import { keptJson, largestTree } from "../applied-trees.ts";
import { digestOf } from "../content-digest.ts";
import type { Decided } from "../decided-list.ts";
import { DecidedList } from "../decided-list.ts";
import { StoreError } from "../store-error.ts";
import { forgotten } from "../../model/row-print.ts";
import type { RowPrint } from "../../model/row-print.ts";
import type { KnownRows, LogsKept, RowLog, SortedPrints } from "../rows.ts";
import { MemoryJournal } from "./journal.ts";
import type { Lines } from "./journal.ts";
import { MemoryPrints } from "./rows.ts";
import type {
  Archive,
  Holder,
  Journal,
  Lease,
  LockResult,
  NotKept,
  OpenedJournal,
  Rows,
  RunOfPlan,
  SharedState,
  StoredMapping,
} from "../store.ts";

import type { RunsInMemory } from "./work.ts";

interface MemoryLog extends Lines {
  readonly table: string;
  readonly run: string;
  isOpen: boolean;
  isDropped?: true;
}

/**
 * What is kept while the process lives. Everything goes in and comes out as text, as it would through a disk: nobody
 * holds on to what somebody else changes later.
 */
export class MemoryPlace {
  readonly journal: Lines = { lines: [] };
  readonly archives = new Map<string, { readonly run: string; readonly lines: readonly string[] }[]>();
  /** By kind, rows by source. */
  readonly mapping = new Map<string, Map<string, string>>();
  abandoned = "[]";
  decided = "[]";
  /** By kind and source. */
  readonly applied = new Map<string, string>();
  /** Reports of runs, by plan. */
  readonly runs = new Map<string, RunsInMemory>();

  readonly knownRows = new Map<string, { readonly sense: string; readonly prints: readonly RowPrint[] }>();
  readonly rowLogs: MemoryLog[] = [];
  token = 0;
  holder: Holder | undefined;
  /** The lease that is held; of several places that share one target this is the one. */
  held: Lease | undefined;
}

export class MemoryState implements SharedState {
  readonly #place: MemoryPlace;
  readonly #plan: string;

  constructor(place: MemoryPlace, plan: string) {
    this.#place = place;
    this.#plan = plan;
  }

  async prepare(): Promise<void> {}

  async lock(holder: Holder): Promise<LockResult> {
    const place = this.#place;
    if (place.held !== undefined)
      return place.holder === undefined ? { ok: false } : { ok: false, holder: place.holder };
    place.token += 1;
    place.holder = holder;
    const release = async (): Promise<void> => {
      if (place.held === lease) place.held = undefined;
    };
    const lease: Lease = { token: place.token, release, [Symbol.asyncDispose]: release };
    place.held = lease;
    return { ok: true, lease };
  }

  async lastHolder(): Promise<Holder | undefined> {
    return this.#place.holder;
  }

  async isHeld(): Promise<boolean> {
    return this.#place.held !== undefined;
  }

  async openJournal(lease: Lease, replay: (record: JournalRecord) => void): Promise<OpenedJournal> {
    this.#refuseOld(lease);
    for (const line of this.#place.journal.lines) replay(parseJson(line) as unknown as JournalRecord);
    return { journal: new MemoryJournal(this.#place.journal, () => this.#refuseOld(lease)), cut: 0 };
  }

  async *readJournal(): AsyncGenerator<JournalRecord, void, void> {
    yield* parsed([...this.#place.journal.lines]);
  }

  async archive(lease: Lease, runs: readonly RunOfPlan[]): Promise<readonly NotKept[]> {
    this.#refuseOld(lease);
    const { journal, archives } = this.#place;
    if (journal.lines.length === 0) return [];
    const last = new Map(runs.map(({ plan, run }) => [plan, run]));
    for (const [plan, run] of last) {
      const kept = archives.get(plan) ?? [];
      const others = kept.filter((archive) => archive.run !== run);
      archives.set(plan, [...others, { run, lines: [...journal.lines] }]);
    }
    return [];
  }

  async archives(): Promise<readonly Archive[]> {
    return (this.#place.archives.get(this.#plan) ?? []).map(({ run, lines }) => ({
      run,
      async *records() {
        yield* parsed(lines);
      },
    }));
  }

  /** It is made for one pair of environments. */
  async refuseOtherNames(): Promise<void> {}

  // oxlint-disable-next-line require-yield -- for the same reason
  async *otherRows(): AsyncGenerator<never, void, undefined> {}

  async rowsElsewhere(): Promise<undefined> {}

  async mapping(): Promise<StoredMapping> {
    const stored = new Map([...this.#place.mapping].map(([kind, rows]) => [kind, new Map(rows)] as const));
    return {
      kinds: () => [...stored.keys()].sort(),
      async rows(kind) {
        const rows = new PackedRows();
        for (const [source, row] of stored.get(kind) ?? []) rows.set(source, JSON.parse(row) as MappingEntry);
        return rows;
      },
      digest() {
        const kinds = [...stored].filter(([, rows]) => rows.size > 0).sort(byName);
        return digest(stableText(kinds.map(([kind, rows]): Json => [kind, ...[...rows].sort(byName)])));
      },
    };
  }

  async saveMapping(lease: Lease, rows: Rows): Promise<void> {
    this.#refuseOld(lease);
    for (const kind of new Set([...this.#place.mapping.keys(), ...rows.kinds()])) {
      const entries = [...rows.entries(kind)].sort(byName);
      if (entries.length === 0 && !this.#place.mapping.has(kind)) continue;
      const texts = entries.map(([source, entry]) => [source, stableText(entry as unknown as Json)] as const);
      this.#place.mapping.set(kind, new Map(texts));
    }
  }

  async abandoned(): Promise<AbandonedList> {
    return new AbandonedList(JSON.parse(this.#place.abandoned) as Abandoned[]);
  }

  async saveAbandoned(lease: Lease, list: AbandonedList): Promise<void> {
    this.#refuseOld(lease);
    this.#place.abandoned = JSON.stringify([...list]);
  }

  async knownRows(table: string): Promise<KnownRows | undefined> {
    const known = this.#place.knownRows.get(table);
    return known === undefined
      ? undefined
      : Object.assign(new MemoryPrints(known.prints), { sense: known.sense });
  }

  async saveKnownRows(lease: Lease, table: string, sense: string, changes: SortedPrints): Promise<void> {
    this.#refuseOld(lease);
    const before = this.#place.knownRows.get(table);
    const rows = new Map(before?.sense === sense ? before.prints.map((row) => [row.key, row]) : []);
    for (const change of changes) {
      if (change.source === forgotten) rows.delete(change.key);
      else rows.set(change.key, change);
    }
    this.#place.knownRows.set(table, { sense, prints: [...rows.values()] });
  }

  async openRowLog(lease: Lease, table: string, run: string): Promise<Journal> {
    this.#refuseOld(lease);
    const log = this.#logOf(table, run) ?? { table, run, isOpen: true, lines: [] };
    if (!this.#place.rowLogs.includes(log)) this.#place.rowLogs.push(log);
    return new MemoryJournal(log, () => this.#refuseOld(lease));
  }

  async closeRowLog(lease: Lease, table: string, run: string): Promise<void> {
    this.#refuseOld(lease);
    const log = this.#logOf(table, run);
    if (log !== undefined) log.isOpen = false;
  }

  async rowLogs(): Promise<readonly RowLog[]> {
    const sorted = this.#place.rowLogs.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    return sorted.map(({ table, run, isOpen, isDropped, lines }) => ({
      table,
      run,
      isOpen,
      ...(isDropped === undefined ? {} : { isDropped }),
      async *records() {
        yield* parsed([...lines]);
      },
    }));
  }

  async dropRowLogs(lease: Lease, table: string, most: LogsKept): Promise<readonly string[]> {
    this.#refuseOld(lease);
    const closed = this.#place.rowLogs
      .filter((log) => log.table === table && !log.isOpen && log.isDropped === undefined)
      .toSorted((one, other) => (nameOf(one) < nameOf(other) ? 1 : -1));
    const dropped: string[] = [];
    let bytes = 0;
    for (const [age, log] of closed.entries()) {
      bytes += log.lines.reduce((sum, line) => sum + line.length, 0);
      if (age === 0 || (age < most.runs && bytes <= most.bytes)) continue;
      log.isDropped = true;
      log.lines.length = 0;
      dropped.unshift(log.run);
    }
    return dropped;
  }

  #logOf(table: string, run: string): MemoryLog | undefined {
    return this.#place.rowLogs.find((log) => log.table === table && log.run === run);
  }

  async decided(): Promise<DecidedList> {
    return new DecidedList(JSON.parse(this.#place.decided) as Decided[]);
  }

  async saveDecided(lease: Lease, list: DecidedList): Promise<void> {
    this.#refuseOld(lease);
    this.#place.decided = JSON.stringify([...list]);
  }

  async openApplied(): Promise<AppliedTrees> {
    const { applied } = this.#place;
    return {
      get: (kind, source) => {
        const text = applied.get(JSON.stringify([kind, source]));
        return text === undefined ? undefined : (parseJson(text) as unknown as AppliedTree);
      },
    };
  }

  async appliedDigest(): Promise<string | undefined> {
    const { applied } = this.#place;
    return applied.size === 0 ? undefined : digestOf([...applied.values()]);
  }

  async appendApplied(lease: Lease, trees: readonly TreeToKeep[]): Promise<void> {
    this.#refuseOld(lease);
    for (const one of trees) {
      const { kind, source, print } = one;
      const tree = keptJson(one);
      if (tree.length > largestTree) continue;
      const kept = JSON.stringify({ kind, source, print, tree: parseJson(tree) });
      this.#place.applied.set(JSON.stringify([kind, source]), kept);
    }
  }

  #refuseOld(lease: Lease): void {
    if (this.#place.held === lease) return;
    throw new StoreError(
      "lease-lost",
      "",
      "this run does not hold the target any more: another one may be at work on it",
      "Run it again.",
    );
  }
}

function nameOf({ table, run }: MemoryLog): string {
  return `${table}.${run}`;
}

function* parsed(lines: readonly string[]): Generator<JournalRecord, void, void> {
  for (const line of lines) yield parseJson(line) as unknown as JournalRecord;
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : Number(one > other);
}
