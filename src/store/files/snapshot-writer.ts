import { dirname, join } from "node:path";
import type { Party } from "../../model/mapping.ts";
import { display } from "../../model/display.ts";
import type { Disk } from "./disk.ts";
import { makeFolder, writeSynced } from "./folder.ts";
import type { StoreHooks } from "../hooks.ts";
import { ioError } from "./io-error.ts";
import { formatJson } from "../../model/json-pieces.ts";
import type { Manifest, ManifestKind } from "./manifest.ts";
import { manifestDigest, manifestName } from "./manifest.ts";
import { nodeDisk } from "./node-disk.ts";
import { refuseBadKind } from "./names.ts";
import { SnapshotFile } from "./snapshot-file.ts";
import type { SnapshotIndex } from "./snapshot-index.ts";
import type { SnapshotFinish, SnapshotObject, SnapshotReader, SnapshotWriter } from "../store.ts";
import { openFiles } from "./snapshot-reader.ts";
import { refuseOtherFiles, snapshotTarget, swapFolder } from "./snapshot-swap.ts";
import { StoreError } from "../store-error.ts";
import { releaseTemporary, sweepTemporaries, temporaryBeside } from "./temporary.ts";
import { formats } from "../upgrade/index.ts";

export interface SnapshotOptions {
  readonly tool: string;
  readonly party: Party;
  /** When the export began; ISO 8601. */
  readonly at: string;
  readonly hooks?: StoreHooks;
  readonly disk?: Disk;
}

/** Of a folder: a finished snapshot may stay closed. */
export interface FolderWriter extends SnapshotWriter {
  finish(info: SnapshotFinish): Promise<Manifest>;
}

/** Begins a snapshot in a folder of its own beside the place where it will be. */
export async function createSnapshot(folder: string, options: SnapshotOptions): Promise<FolderWriter> {
  const { disk = nodeDisk } = options;
  try {
    const target = await snapshotTarget(disk, folder);
    await refuseOtherFiles(disk, target, folder);
    await makeFolder(disk, dirname(target));
    await sweepTemporaries(disk, dirname(target));
    const temporary = temporaryBeside(disk, target);
    await disk.mkdir(temporary);
    return new Writer(disk, folder, target, temporary, options);
  } catch (error) {
    throw ioError(error, folder, "write");
  }
}

class Writer implements FolderWriter {
  readonly #disk: Disk;
  readonly #shown: string;
  readonly #target: string;
  readonly #temporary: string;
  readonly #options: SnapshotOptions;
  readonly #files = new Map<string, SnapshotFile | Promise<SnapshotFile>>();
  #over = false;

  constructor(disk: Disk, shown: string, target: string, temporary: string, options: SnapshotOptions) {
    this.#disk = disk;
    this.#shown = shown;
    this.#target = target;
    this.#temporary = temporary;
    this.#options = options;
  }

  add(kind: string, object: SnapshotObject): void | Promise<void> {
    const file = this.#files.get(kind) ?? this.#create(kind);
    if (file instanceof SnapshotFile) return this.#addTo(file, kind, object);
    return file.then(
      (opened) => this.#addTo(opened, kind, object),
      (error: unknown) => this.#fail(error),
    );
  }

  async finish(info: SnapshotFinish): Promise<Manifest> {
    return this.#finish(info, async () => undefined);
  }

  async finishAndOpen(info: SnapshotFinish): Promise<SnapshotReader> {
    let reader: SnapshotReader | undefined;
    try {
      await this.#finish(info, async (manifest) => {
        const indexes = new Map<string, SnapshotIndex>();
        for (const [kind, file] of this.#files) indexes.set(kind, (await file).index);
        const { folder, files } = { folder: this.#shown, files: this.#temporary };
        reader = await openFiles({ disk: this.#disk, folder, files, manifest, indexes });
      });
    } catch (error) {
      reader?.close();
      throw error;
    }
    if (reader === undefined) throw new Error(`${this.#shown} was finished and not opened`);
    return reader;
  }

  /** `before` it is swapped in: from then on another export may replace it. */
  async #finish(info: SnapshotFinish, before: (manifest: Manifest) => Promise<void>): Promise<Manifest> {
    try {
      const manifest = await this.#manifest(info);
      await writeSynced(this.#disk, join(this.#temporary, manifestName), formatJson(manifest));
      await this.#disk.syncFolder(this.#temporary);
      await refuseOtherFiles(this.#disk, this.#target, this.#shown); // again: an export takes a while
      await before(manifest);
      await swapFolder(this.#disk, this.#temporary, this.#target, this.#options.hooks);
      this.#over = true;
      releaseTemporary(this.#disk, this.#temporary);
      return manifest;
    } catch (error) {
      return this.#fail(error);
    }
  }

  async abandon(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    await Promise.allSettled([...this.#files.values()].map(async (file) => (await file).abandon()));
    await this.#disk.rm(this.#temporary, { recursive: true, force: true });
    releaseTemporary(this.#disk, this.#temporary);
  }

  #create(kind: string): Promise<SnapshotFile> {
    refuseBadKind(kind, this.#shown);
    const created = SnapshotFile.create(this.#disk, join(this.#temporary, `${kind}.ndjson`)).then((file) => {
      this.#files.set(kind, file);
      return file;
    });
    this.#files.set(kind, created);
    return created;
  }

  #addTo(file: SnapshotFile, kind: string, object: SnapshotObject): void | Promise<void> {
    if (file.has(object.urn)) return this.#refuse(file, kind, object);
    return file.add(object)?.catch((error: unknown) => this.#fail(error));
  }

  async #refuse(file: SnapshotFile, kind: string, { urn, name }: SnapshotObject): Promise<never> {
    const before = (await file.nameOf(urn)) ?? name;
    const names = before === name ? `"${display(name)}"` : `"${display(before)}" and "${display(name)}"`;
    throw new StoreError(
      "duplicate-object",
      this.#shown,
      `${this.#shown}: ${kind} ${names} (${display(urn)}) came twice in one export`,
      "Export again: the listing moved while it was read.",
    );
  }

  async #manifest({ kinds: finished, notes }: SnapshotFinish): Promise<Manifest> {
    const kinds: Record<string, ManifestKind> = {};
    for (const kind of [...new Set([...Object.keys(finished), ...this.#files.keys()])].sort()) {
      const file = await (this.#files.get(kind) ?? this.#create(kind));
      // A kind that nobody vouched for counts as incomplete: an error is never emptiness.
      const told = finished[kind] ?? { complete: false, reason: "the export did not finish it" };
      kinds[kind] = { count: file.count, ...told, ...(await file.finish()) };
    }
    const { tool, at, party } = this.#options;
    const digest = manifestDigest({ party, kinds, notes });
    return { format: formats.snapshot, tool, at, party, kinds, digest, notes };
  }

  #fail(error: unknown): never {
    throw ioError(error, this.#shown, "write");
  }
}
