import { Low } from "lowdb";
import type { MappingEntry, Parties } from "../../model/mapping.ts";
import type { Disk } from "./disk.ts";
import type { StoreHooks } from "../hooks.ts";
import { MappingAdapter } from "./mapping-adapter.ts";
import { refuseSharedTargets } from "./mapping-check.ts";
import { printed } from "./mapping-digest.ts";
import type { Printed } from "./mapping-digest.ts";
import type { MappingContent } from "./mapping-format.ts";
import { packEntries } from "./mapping-format.ts";
import { nodeDisk } from "./node-disk.ts";
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
    const print = printed(rows.inOrder());
    if (this.#waiting === 0 && print.digest === this.#digest) {
      this.#saved = { entries: rows, revision };
      return Promise.resolve(false);
    }
    const content = rows.sorted(); // a copy: the caller may go on changing its map
    this.#waiting += 1;
    const saved = this.#saving
      .then(() => this.#save(content, print))
      .then((isNew) => {
        this.#saved = { entries: rows, revision };
        return isNew;
      });
    this.#saving = saved
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1;
      });
    return saved;
  }

  async #save(entries: PackedRows, { digest, lines }: Printed): Promise<boolean> {
    if (digest === this.#digest) return false;
    refuseSharedTargets(this.#path, this.#low.data.kind, entries);
    const { tool, parties } = this.#options;
    const before = this.#low.data;
    const serial = before.serial + 1;
    this.#low.data = { format: formats.mapping, tool, kind: before.kind, serial, parties, entries, lines };
    try {
      await this.#low.write();
    } catch (error) {
      // What reached the disk is not known, perhaps all of it did: the next save tries again, unless it is what was there.
      this.#low.data = before;
      throw error;
    }
    this.#digest = digest;
    this.#size = entries.size;
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
