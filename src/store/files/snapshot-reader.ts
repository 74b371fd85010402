import { join } from "node:path";
import type { z } from "zod";
import type { JsonObject } from "../../model/json.ts";
import type { Disk } from "./disk.ts";
import type { JsonText } from "./json-text.ts";
import { checkShape, parseJsonText, readJsonText } from "./json-text.ts";
import type { Manifest } from "./manifest.ts";
import { manifestDigest, manifestName, manifestSchema, manifestVersion } from "./manifest.ts";
import { nodeDisk } from "./node-disk.ts";
import type { SnapshotIndex } from "./snapshot-index.ts";
import { damaged } from "./snapshot-index.ts";
import { SnapshotKind } from "./snapshot-kind.ts";
import type { SnapshotKept, SnapshotObject, SnapshotReader } from "../store.ts";
import { ioError } from "./io-error.ts";
import { statOrNothing } from "./stat.ts";
import { isMissing, StoreError } from "../store-error.ts";
import { upgrade } from "../upgrade/index.ts";

/** Opens a snapshot and checks every file against the manifest. Memory holds URNs and names, no bodies. */
export async function openSnapshot(folder: string, disk: Disk = nodeDisk): Promise<SnapshotReader> {
  const manifest = await readManifest(disk, folder);
  return openFiles({ disk, folder, files: folder, manifest, indexes: new Map() });
}

/** Of what is in it, as it was written, and how many bytes its files have, which are not read; undefined where it cannot be read. */
export async function snapshotKept(folder: string, disk: Disk = nodeDisk): Promise<SnapshotKept | undefined> {
  try {
    const { digest, kinds } = await readManifest(disk, folder);
    let size: number | undefined = 0;
    for (const kind of Object.keys(kinds)) {
      const more = await sizeOf(disk, join(folder, `${kind}.ndjson`));
      size = size === undefined || more === undefined ? undefined : size + more;
    }
    return { digest, size };
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

async function sizeOf(disk: Disk, path: string): Promise<number | undefined> {
  try {
    return (await statOrNothing(disk, path))?.size;
  } catch (error) {
    throw ioError(error, path, "read");
  }
}

/** Opens the files of a snapshot; a kind whose index is known, because it was just written, is not read again. */
export async function openFiles(snapshot: {
  readonly disk: Disk;
  /** What messages name. */
  readonly folder: string;
  /** Where the files are while they are opened. */
  readonly files: string;
  readonly manifest: Manifest;
  readonly indexes: ReadonlyMap<string, SnapshotIndex>;
}): Promise<SnapshotReader> {
  const { disk, folder, files, manifest, indexes } = snapshot;
  const kinds = new Map<string, SnapshotKind>();
  const reader = new Reader(folder, manifest, kinds);
  try {
    for (const [kind, expected] of Object.entries(manifest.kinds)) {
      const name = `${kind}.ndjson`;
      const file = { path: join(files, name), shown: join(folder, name) };
      kinds.set(kind, await SnapshotKind.open(disk, file, expected, indexes.get(kind)));
    }
  } catch (error) {
    reader.close();
    throw error;
  }
  return reader;
}

async function readManifest(disk: Disk, folder: string): Promise<Manifest> {
  const path = join(folder, manifestName);
  const source = await manifestText(disk, folder, path);
  const parsed = parseJsonText(source);
  const { format } = check(source, parsed, manifestVersion);
  const manifest = check(source, upgrade(parsed, "snapshot", format, path), manifestSchema);
  if (manifestDigest(manifest) !== manifest.digest)
    throw damaged(path, "its digest does not fit its content");
  return manifest;
}

async function manifestText(disk: Disk, folder: string, path: string): Promise<JsonText> {
  try {
    return await readJsonText(disk, path);
  } catch (error) {
    if (!(error instanceof StoreError) || !isMissing(error.cause)) throw error;
    const why = "it has no manifest.json";
    const suggestion = "Check the path, or make a snapshot with `ferry export PLAN`.";
    throw new StoreError("not-found", folder, `there is no snapshot in ${folder}: ${why}`, suggestion, error);
  }
}

function check<T>(source: JsonText, value: unknown, schema: z.ZodType<T>): T {
  return checkShape(source, value, schema, "snapshot-damaged");
}

class Reader implements SnapshotReader {
  readonly manifest: Manifest;
  readonly #folder: string;
  readonly #kinds: ReadonlyMap<string, SnapshotKind>;
  #isClosed = false;

  constructor(folder: string, manifest: Manifest, kinds: ReadonlyMap<string, SnapshotKind>) {
    this.manifest = manifest;
    this.#folder = folder;
    this.#kinds = kinds;
  }

  kinds(): readonly string[] {
    return [...this.#kinds.keys()].sort();
  }

  urns(kind: string): Iterable<string> {
    return this.#kinds.get(kind)?.index.urns() ?? [];
  }

  has(kind: string, urn: string): boolean {
    return this.#kinds.get(kind)?.index.position(urn) !== undefined;
  }

  name(kind: string, urn: string): string {
    const name = this.#kinds.get(kind)?.name(urn);
    if (name === undefined) throw this.#absent(kind, urn);
    return name;
  }

  meta(kind: string, urn: string): JsonObject | undefined {
    return this.#object(kind, urn).meta;
  }

  body(kind: string, urn: string): JsonObject {
    return this.#object(kind, urn).body;
  }

  stream(kind: string): Iterable<SnapshotObject> {
    return this.#kinds.get(kind)?.stream() ?? [];
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const kind of this.#kinds.values()) kind.close();
  }

  #object(kind: string, urn: string): SnapshotObject {
    const object = this.#kinds.get(kind)?.object(urn);
    if (object === undefined) throw this.#absent(kind, urn);
    return object;
  }

  #absent(kind: string, urn: string): Error {
    return new Error(`${this.#folder} holds no ${kind} ${urn}`);
  }
}
