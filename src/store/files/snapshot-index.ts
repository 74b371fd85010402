import { createHash } from "node:crypto";
import type { Disk } from "./disk.ts";
import type { ManifestKind } from "./manifest.ts";
import { readLines } from "./lines.ts";
import { parseSnapshotLine } from "./snapshot-line.ts";
import { StoreError } from "../store-error.ts";

/** What is kept of a kind in memory: where its objects are, not the objects. Lists run in file order. */
export class SnapshotIndex {
  readonly urns: string[] = [];
  readonly names: string[] = [];
  readonly offsets: number[] = [];
  /** In bytes, without the line feed. */
  readonly lengths: number[] = [];
  readonly #positions = new Map<string, number>();

  position(urn: string): number | undefined {
    return this.#positions.get(urn);
  }

  /** A URN comes once. */
  add(urn: string, name: string, offset: number, length: number): void {
    this.#positions.set(urn, this.urns.length);
    this.urns.push(urn);
    this.names.push(name);
    this.offsets.push(offset);
    this.lengths.push(length);
  }
}

/** Reads the file once, from end to end, and refuses anything that the manifest does not vouch for. */
export async function indexSnapshotFile(
  disk: Disk,
  path: string,
  expected: ManifestKind,
): Promise<SnapshotIndex> {
  const index = new SnapshotIndex();
  const sha256 = createHash("sha256");
  for await (const { chunk, lines } of readLines(disk, path)) {
    sha256.update(chunk);
    for (const { bytes, offset, number, ended } of lines) {
      const object = ended ? parseSnapshotLine(bytes) : undefined;
      if (object === undefined) throw damaged(path, `line ${number} is not an object of a snapshot`);
      if (index.position(object.urn) !== undefined)
        throw damaged(path, `line ${number} repeats the URN of an earlier line`);
      index.add(object.urn, object.name, offset, bytes.length);
    }
  }
  const { length } = index.urns;
  if (length !== expected.count) {
    throw damaged(path, `it holds ${length} objects, and the manifest says ${expected.count}`);
  }
  if (sha256.digest("hex") !== expected.sha256)
    throw damaged(path, "its checksum is not the one in the manifest");
  return index;
}

export function damaged(path: string, why: string, cause?: unknown): StoreError {
  return new StoreError(
    "snapshot-damaged",
    path,
    `${path} is damaged: ${why}`,
    "Export again with `ferry export PLAN`.",
    cause,
  );
}
