import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import type { MappingEntry, Parties } from "../../model/mapping.ts";
import type { StoreHooks } from "../hooks.ts";
import { refuseDeadLinks } from "./dead-links.ts";
import type { Disk } from "./disk.ts";
import { ioError } from "./io-error.ts";
import { MappingFile } from "./mapping-file.ts";
import { isKindName, refuseBadKind } from "./names.ts";
import { nodeDisk } from "./node-disk.ts";
import { isMissing, StoreError } from "../store-error.ts";
import { sweepTemporaries } from "./temporary.ts";

export interface MappingOptions {
  /** Name and version of the tool, for the files. */
  readonly tool: string;
  readonly parties: Parties;
  /** For looking only: needs no lock and changes nothing. */
  readonly readOnly?: boolean;
  /** False: what killed runs left is left alone, since nothing may be written after all. */
  readonly sweep?: boolean;
  readonly hooks?: StoreHooks;
  readonly disk?: Disk;
}

export interface MappingStore {
  /** The kinds that have a file, sorted. */
  kinds(): readonly string[];
  /**
   * Source URN to entry, sorted by source URN, as they are on disk; empty when the kind has no file. Not kept here: who asks
   * a second time has it read once more.
   */
  entries(kind: string): Promise<ReadonlyMap<string, MappingEntry>>;
  serial(kind: string): number;
  /** Of all entries, for binding an approved diff: the same content has the same digest, whoever wrote it. */
  digest(): string;
  /** False: nothing changed, so nothing was written. */
  save(kind: string, entries: ReadonlyMap<string, MappingEntry>): Promise<boolean>;
}

/** Opens the mapping of a pair of environments. To change it, hold the lock. */
export async function openMappingStore(folder: string, options: MappingOptions): Promise<MappingStore> {
  const { readOnly = false, disk = nodeDisk } = options;
  if (!readOnly && options.sweep !== false) await sweepTemporaries(disk, folder);
  const files = new Map<string, MappingFile>();
  await refuseDeadLinks(disk, [dirname(folder), folder]);
  const names = await namesIn(disk, folder);
  await refuseDeadLinks(
    disk,
    names.map((name) => join(folder, name)),
  );
  for (const kind of kindsOf(names)) {
    files.set(kind, await MappingFile.open(join(folder, `${kind}.json`), kind, options));
  }
  return new Store(folder, options, files, readOnly);
}

class Store implements MappingStore {
  readonly #folder: string;
  readonly #options: MappingOptions;
  readonly #files: Map<string, MappingFile>;
  readonly #readOnly: boolean;

  constructor(folder: string, options: MappingOptions, files: Map<string, MappingFile>, readOnly: boolean) {
    this.#folder = folder;
    this.#options = options;
    this.#files = files;
    this.#readOnly = readOnly;
  }

  kinds(): readonly string[] {
    return [...this.#files].flatMap(([kind, file]) => (file.exists ? [kind] : [])).sort();
  }

  async entries(kind: string): Promise<ReadonlyMap<string, MappingEntry>> {
    return (await this.#files.get(kind)?.entries()) ?? new Map<string, MappingEntry>();
  }

  serial(kind: string): number {
    return this.#files.get(kind)?.serial ?? 0;
  }

  digest(): string {
    const kinds = this.kinds().filter((kind) => (this.#files.get(kind)?.size ?? 0) > 0);
    return hash("sha256", kinds.map((kind) => `${kind} ${this.#files.get(kind)?.digest}\n`).join(""));
  }

  async save(kind: string, entries: ReadonlyMap<string, MappingEntry>): Promise<boolean> {
    if (this.#readOnly) {
      throw new StoreError(
        "read-only",
        this.#folder,
        `${this.#folder} was opened for reading only`,
        "Report this.",
      );
    }
    refuseBadKind(kind, this.#folder);
    let file = this.#files.get(kind);
    if (file === undefined) {
      file = MappingFile.absent(join(this.#folder, `${kind}.json`), kind, this.#options);
      this.#files.set(kind, file); // at once: another save of this kind must wait for this one
    }
    return await file.save(entries);
  }
}

async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return await disk.readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw ioError(error, folder, "read");
  }
}

function kindsOf(names: readonly string[]): readonly string[] {
  const kinds = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
  return kinds.filter((kind) => isKindName(kind)).sort();
}
