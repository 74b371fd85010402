import { Low } from "lowdb";
import type { MappingEntry, Parties } from "../../model/mapping.ts";
import type { Disk } from "./disk.ts";
import type { StoreHooks } from "../hooks.ts";
import { MappingAdapter } from "./mapping-adapter.ts";
import { refuseSharedTargets } from "./mapping-check.ts";
import { digesting, MappingDigest, printed } from "./mapping-digest.ts";
import type { Printed } from "./mapping-digest.ts";
import type { MappingContent } from "./mapping-format.ts";
import { formatEntries, packEntries } from "./mapping-format.ts";
import { nodeDisk } from "./node-disk.ts";
import type { FrozenRows } from "../../model/packed/frozen-rows.ts";
import type { PackedRows } from "../../model/packed/rows.ts";
import { formats } from "../upgrade/index.ts";

interface Options {
  readonly tool: string;
  readonly parties: Parties;
  readonly hooks?: StoreHooks;
  readonly disk?: Disk;
}

const none: ReadonlyMap<string, MappingEntry> = new Map();

/**
 * The mapping of one kind on disk. Saves happen one after the other, in the order of the calls. Whoever asks for its rows
 * holds them: there may be a million, and they are not kept here a second time.
 */
export class MappingFile {
  readonly #path: string;
  readonly #options: Options;
  readonly #adapter: MappingAdapter;
  readonly #low: Low<MappingContent>;
  #exists = false;
  #digest: string;
  #size = 0;
  /** What was read, until somebody asks for it. */
  #read: ReadonlyMap<string, MappingEntry> | undefined;
  /** What is on disk, as long as it has not been changed since. */
  #saved: { readonly entries: PackedRows; readonly revision: number } | undefined;
  #saving: Promise<unknown> = Promise.resolve();
  /** Saves that have not ended. */
  #waiting = 0;

  private constructor(path: string, kind: string, options: Options) {
    const { tool, parties, hooks, disk = nodeDisk } = options;
    this.#path = path;
    this.#options = options;
    this.#adapter = new MappingAdapter(path, kind, parties, disk, hooks);
    const empty = { format: formats.mapping, tool, kind, serial: 0, parties, entries: none };
    this.#low = new Low(this.#adapter, empty);
    this.#digest = printed(none).digest;
  }

  static async open(path: string, kind: string, options: Options): Promise<MappingFile> {
    const file = new MappingFile(path, kind, options);
    await file.#low.read();
    const { entries, digest } = file.#low.data;
    file.#exists = true;
    file.#digest = digest ?? printed(entries).digest;
    file.#size = entries.size;
    file.#read = entries;
    file.#forget();
    return file;
  }

  static absent(path: string, kind: string, options: Options): MappingFile {
    return new MappingFile(path, kind, options);
  }

  get exists(): boolean {
    return this.#exists;
  }

  /** As they are on disk: read once more when they are asked for a second time. */
  async entries(): Promise<ReadonlyMap<string, MappingEntry>> {
    const read = this.#read;
    this.#read = undefined;
    return read ?? (await this.#adapter.read())?.entries ?? none;
  }

  get size(): number {
    return this.#size;
  }

  get serial(): number {
    return this.#low.data.serial;
  }

  get digest(): string {
    return this.#digest;
  }

  save(entries: ReadonlyMap<string, MappingEntry>): Promise<boolean> {
    const rows = packEntries(entries);
    const { revision } = rows;
    const isSaved = this.#saved?.entries === rows && this.#saved.revision === revision;
    if (this.#waiting === 0 && isSaved) return Promise.resolve(false);
    const frozen = rows.frozen(); // the caller may go on changing its map
    // What is new is written in any case.
    const isNew = !this.#exists && this.#waiting === 0 && frozen.size > 0;
    const print = isNew ? undefined : printed(frozen);
    if (this.#waiting === 0 && print?.digest === this.#digest) {
      frozen.release();
      this.#saved = { entries: rows, revision };
      return Promise.resolve(false);
    }
    this.#waiting += 1;
    const saved = this.#saving
      .then(() => this.#save(frozen, print))
      .then((isWritten) => {
        this.#saved = { entries: rows, revision };
        return isWritten;
      });
    this.#saving = saved
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1;
        frozen.release();
      });
    return saved;
  }

  async #save(rows: FrozenRows, print: Printed | undefined): Promise<boolean> {
    if (print?.digest === this.#digest) return false;
    refuseSharedTargets(this.#path, this.#low.data.kind, rows);
    const { tool, parties } = this.#options;
    const before = this.#low.data;
    const serial = before.serial + 1;
    const digest = new MappingDigest();
    const lines = print === undefined ? digesting(formatEntries(rows), digest) : print.lines;
    this.#low.data = {
      format: formats.mapping,
      tool,
      kind: before.kind,
      serial,
      parties,
      entries: none,
      lines: lines ?? formatEntries(rows),
    };
    try {
      await this.#low.write();
    } catch (error) {
      // What reached the disk is not known, perhaps all of it did: the next save tries again, unless it is what was there.
      this.#low.data = before;
      throw error;
    }
    this.#digest = print?.digest ?? digest.hex();
    this.#size = rows.size;
    this.#exists = true;
    this.#read = undefined;
    this.#forget();
    return true;
  }

  #forget(): void {
    const { digest: _digest, lines: _lines, ...data } = this.#low.data;
    this.#low.data = { ...data, entries: none };
  }
}
