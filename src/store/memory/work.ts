import type { JsonObject } from "../../model/json.ts";
import { fromEntries } from "../../model/json.ts";
import { parseJson } from "../../model/json-text.ts";
import type { Parties, Party } from "../../model/mapping.ts";
import type { Scratch } from "../../model/packed/spool.ts";
import { digestOf, SetDigest } from "../content-digest.ts";
import type { KeptRun } from "../kept-run.ts";
import { inOrder, noReport } from "../kept-run.ts";

import type { PrintSorter, RowsDraft, RowsWriter } from "../rows.ts";
import { StoreError } from "../store-error.ts";
import type {
  Report,
  SnapshotFinish,
  SnapshotKind,
  SnapshotObject,
  SnapshotReader,
  SnapshotSummary,
  SnapshotKept,
  SnapshotWriter,
  Work,
} from "../store.ts";
import type { KeptDraft } from "./rows.ts";
import { MemoryDraft, MemorySorter } from "./rows.ts";

/** By run. */
export type RunsInMemory = Map<
  string,
  { readonly run: string; readonly reports: ReadonlyMap<string, string> }
>;

/** The work of a plan, kept while the process lives. */
export class MemoryWork implements Work {
  readonly #parties: Parties;
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #runs: RunsInMemory;

  readonly #rows = new Map<string, readonly string[]>();
  readonly #rowsDone = new Map<string, string>();
  readonly #rowsPlans = new Map<string, string>();
  readonly #drafts = new Map<string, KeptDraft>();
  #diff: string | undefined;
  #look: string | undefined;
  #notOffered: ReadonlySet<string> = new Set();

  constructor(parties: Parties, runs: RunsInMemory = new Map()) {
    this.#parties = parties;
    this.#runs = runs;
  }

  async prepare(): Promise<void> {}

  openScratch(): Scratch {
    const kept: Buffer[] = [];
    return {
      append: (bytes) => void kept.push(Buffer.from(bytes)),
      read(into, position) {
        Buffer.concat(kept).copy(into, 0, position);
      },
    };
  }

  async createSnapshot(side: "source" | "target", at: string): Promise<SnapshotWriter> {
    return new Writer(at, this.#parties[side], (made) => void this.#snapshots.set(side, made));
  }

  async openSnapshot(named?: string): Promise<SnapshotReader> {
    const found = this.#snapshots.get(named ?? "source");
    if (found !== undefined) return new Reader(found);
    const suggestion = "Make a snapshot with `ferry export PLAN`.";
    throw new StoreError("not-found", named ?? "", "there is no snapshot", suggestion);
  }

  async saveDiff(diff: object): Promise<void> {
    this.#diff = JSON.stringify(diff);
  }

  async lastDiff(): Promise<unknown> {
    return this.#diff === undefined ? undefined : (JSON.parse(this.#diff) as unknown);
  }

  async diffDigest(): Promise<string | undefined> {
    return this.#diff && digestOf(this.#diff);
  }

  async snapshotKept(): Promise<SnapshotKept | undefined> {
    const found = this.#snapshots.get("source");
    return found && { digest: new Reader(found).manifest.digest, size: undefined };
  }

  async saveLook(look: object | undefined): Promise<void> {
    this.#look = look && JSON.stringify(look);
  }

  async lastLook(): Promise<unknown> {
    return this.#look === undefined ? undefined : (JSON.parse(this.#look) as unknown);
  }

  async notOffered(): Promise<ReadonlySet<string>> {
    return this.#notOffered;
  }

  async saveNotOffered(steps: ReadonlySet<string>): Promise<void> {
    this.#notOffered = new Set(steps);
  }

  async keepRun(run: KeptRun, reports: Readonly<Record<string, Report>>): Promise<void> {
    const texts = Object.entries(reports).map(([name, report]): [string, string] => [
      name,
      typeof report === "string" ? report : [...report()].join(""),
    ]);
    this.#runs.set(run.run, { run: JSON.stringify(run), reports: new Map(texts) });
  }

  async keptRuns(): Promise<readonly KeptRun[]> {
    return inOrder([...this.#runs.values()].map(({ run }) => JSON.parse(run) as KeptRun));
  }

  async keptReport(run: string, name: string): Promise<string> {
    const text = this.#runs.get(run)?.reports.get(name);
    if (text !== undefined) return text;
    throw new StoreError("not-found", name, `the run ${run} has no ${name}`, noReport);
  }

  async dropRun(run: string): Promise<void> {
    this.#runs.delete(run);
  }

  close(): void {}

  async writeRows(table: string): Promise<RowsWriter> {
    const lines: string[] = [];
    return {
      add: (row) => void lines.push(typeof row === "string" ? row : JSON.stringify(row)),
      finish: async () => void this.#rows.set(table, lines),
      abandon: async () => {},
    };
  }

  async *readRows(table: string): AsyncGenerator<readonly JsonObject[], void, undefined> {
    for (const line of this.#rows.get(table) ?? []) yield [parseJson(line) as JsonObject];
  }

  async draftRows(table: string, goOn: boolean): Promise<RowsDraft> {
    const drafts = this.#drafts;
    const kept = drafts.get(table);
    if (!goOn) drafts.delete(table);
    return new MemoryDraft(
      goOn ? kept : undefined,
      (draft) => void drafts.set(table, draft),
      (lines) => {
        drafts.delete(table);
        this.#rows.set(table, lines);
      },
    );
  }

  async sortPrints(): Promise<PrintSorter> {
    return new MemorySorter();
  }

  async saveRowsDone(table: string, done: JsonObject): Promise<void> {
    this.#rowsDone.set(table, JSON.stringify(done));
  }

  async saveRowsPlan(table: string, plan: JsonObject | undefined): Promise<void> {
    if (plan === undefined) this.#rowsPlans.delete(table);
    else this.#rowsPlans.set(table, JSON.stringify(plan));
  }

  async rowsPlan(table: string): Promise<JsonObject | undefined> {
    const plan = this.#rowsPlans.get(table);
    return plan === undefined ? undefined : (parseJson(plan) as JsonObject);
  }

  async rowsDone(): Promise<ReadonlyMap<string, JsonObject>> {
    const sorted = [...this.#rowsDone].sort(([one], [other]) => (one < other ? -1 : 1));
    return new Map(sorted.map(([table, done]) => [table, JSON.parse(done) as JsonObject]));
  }
}

interface Snapshot {
  readonly manifest: SnapshotSummary;
  readonly kinds: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

class Writer implements SnapshotWriter {
  readonly #at: string;
  readonly #party: Party;
  readonly #keep: (made: Snapshot) => void;
  readonly #kinds = new Map<string, Map<string, string>>();
  readonly #digests = new Map<string, SetDigest>();

  constructor(at: string, party: Party, keep: (made: Snapshot) => void) {
    this.#at = at;
    this.#party = party;
    this.#keep = keep;
  }

  add(kind: string, object: SnapshotObject): void {
    const objects = this.#kinds.get(kind) ?? new Map<string, string>();
    this.#kinds.set(kind, objects);
    if (objects.has(object.urn))
      throw new StoreError(
        "duplicate-object",
        "",
        `${kind} "${object.name}" (${object.urn}) came twice in one reading`,
        "Run it again: the listing moved while it was read.",
      );
    objects.set(object.urn, JSON.stringify(object));
    const digest = this.#digests.get(kind) ?? new SetDigest();
    this.#digests.set(kind, digest);
    digest.add({ ...object });
  }

  async finishAndOpen({ kinds: finished, notes }: SnapshotFinish): Promise<SnapshotReader> {
    const kinds: Record<string, SnapshotKind> = {};
    const contents: Record<string, string> = {};
    for (const kind of [...new Set([...Object.keys(finished), ...this.#kinds.keys()])].sort()) {
      const told = finished[kind] ?? { complete: false, reason: "nobody vouched for it" };
      const count = this.#kinds.get(kind)?.size ?? 0;
      kinds[kind] = { count, ...told };
      contents[kind] = (this.#digests.get(kind) ?? new SetDigest()).toString();
    }
    const said = Object.entries(kinds).map(
      ([kind, { asked: _asked, unlisted: _unlisted, ...one }]): [string, JsonObject] => [kind, one],
    );
    const digest = digestOf({ kinds: fromEntries(said), contents, notes });
    const made = { manifest: { at: this.#at, party: this.#party, kinds, digest, notes }, kinds: this.#kinds };
    this.#keep(made);
    return new Reader(made);
  }

  async abandon(): Promise<void> {}
}

class Reader implements SnapshotReader {
  readonly manifest: SnapshotSummary;
  readonly #kinds: Snapshot["kinds"];

  constructor({ manifest, kinds }: Snapshot) {
    this.manifest = manifest;
    this.#kinds = kinds;
  }

  kinds(): readonly string[] {
    return Object.keys(this.manifest.kinds).sort();
  }

  urns(kind: string): Iterable<string> {
    return [...(this.#kinds.get(kind)?.keys() ?? [])];
  }

  has(kind: string, urn: string): boolean {
    return this.#kinds.get(kind)?.has(urn) === true;
  }

  name(kind: string, urn: string): string {
    return this.#object(kind, urn).name;
  }

  meta(kind: string, urn: string): SnapshotObject["meta"] {
    return this.#object(kind, urn).meta;
  }

  body(kind: string, urn: string): SnapshotObject["body"] {
    return this.#object(kind, urn).body;
  }

  *stream(kind: string): Generator<SnapshotObject, void, void> {
    for (const text of this.#kinds.get(kind)?.values() ?? [])
      yield parseJson(text) as unknown as SnapshotObject;
  }

  close(): void {}

  #object(kind: string, urn: string): SnapshotObject {
    const text = this.#kinds.get(kind)?.get(urn);
    if (text === undefined) throw new Error(`the snapshot holds no ${kind} ${urn}`);
    return parseJson(text) as unknown as SnapshotObject;
  }
}
