import { createHash, hash } from "node:crypto";
import type { Hash } from "node:crypto";
import { Low } from "lowdb";
import type { MappingEntry, Parties } from "../../model/mapping.ts";
import type { Disk } from "./disk.ts";
import type { StoreHooks } from "../hooks.ts";
import { MappingAdapter } from "./mapping-adapter.ts";
import { refuseSharedTargets } from "./mapping-check.ts";
import type { MappingContent } from "./mapping-format.ts";
import { formatEntries, sortEntries } from "./mapping-format.ts";
import { nodeDisk } from "./node-disk.ts";
import { PackedRows } from "../../model/packed/rows.ts";
import { formats } from "../upgrade/index.ts";

interface Options {
  readonly tool: string;
  readonly parties: Parties;
  readonly hooks?: StoreHooks;
  readonly disk?: Disk;
}

/** The mapping of one kind, in memory and on disk. Saves happen one after the other, in the order of the calls. */
export class MappingFile {
  readonly #path: string;
  readonly #options: Options;
  readonly #low: Low<MappingContent>;
  #exists = false;
  #digest: string;
  #saving: Promise<unknown> = Promise.resolve();
  /** Saves that have not ended. */
  #waiting = 0;

  private constructor(path: string, kind: string, options: Options) {
    const { tool, parties, hooks, disk = nodeDisk } = options;
    this.#path = path;
    this.#options = options;
    const empty = { format: formats.mapping, tool, kind, serial: 0, parties, entries: new Map() };
    this.#low = new Low(new MappingAdapter(path, kind, parties, disk, hooks), empty);
    this.#digest = digestOf(empty.entries);
  }

  static async open(path: string, kind: string, options: Options): Promise<MappingFile> {
    const file = new MappingFile(path, kind, options);
    await file.#low.read();
    file.#exists = true;
    file.#digest = digestOf(file.entries);
    return file;
  }

  static absent(path: string, kind: string, options: Options): MappingFile {
    return new MappingFile(path, kind, options);
  }

  get exists(): boolean {
    return this.#exists;
  }

  get entries(): ReadonlyMap<string, MappingEntry> {
    return this.#low.data.entries;
  }

  get serial(): number {
    return this.#low.data.serial;
  }

  get digest(): string {
    return this.#digest;
  }

  save(entries: ReadonlyMap<string, MappingEntry>): Promise<boolean> {
    if (this.#waiting === 0 && areTheSame(entries, this.entries)) return Promise.resolve(false);
    const content = sortEntries(entries); // a copy: the caller may go on changing its map
    this.#waiting += 1;
    const saved = this.#saving.then(() => this.#save(content));
    this.#saving = saved
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1;
      });
    return saved;
  }

  async #save(entries: PackedRows): Promise<boolean> {
    const digest = digestOf(entries);
    if (digest === this.#digest) return false;
    refuseSharedTargets(this.#path, this.#low.data.kind, entries);
    const { tool, parties } = this.#options;
    const before = this.#low.data;
    const serial = before.serial + 1;
    this.#low.data = { format: formats.mapping, tool, kind: before.kind, serial, parties, entries };
    try {
      await this.#low.write();
    } catch (error) {
      this.#low.data = before; // memory says what the disk says, so that the next save tries again
      throw error;
    }
    this.#digest = digest;
    this.#exists = true;
    return true;
  }
}

/** They need not be written down as text to be compared. */
function areTheSame(
  entries: ReadonlyMap<string, MappingEntry>,
  others: ReadonlyMap<string, MappingEntry>,
): boolean {
  return entries instanceof PackedRows && others instanceof PackedRows && entries.equals(others);
}

function digestOf(entries: ReadonlyMap<string, MappingEntry>): string {
  let digest: Hash | undefined;
  let piece = "";
  for (const line of formatEntries(entries)) {
    piece += `${line}\n`;
    if (piece.length < 65_536) continue;
    digest ??= createHash("sha256");
    digest.update(piece);
    piece = "";
  }
  return digest?.update(piece).digest("hex") ?? hash("sha256", piece, "hex");
}
