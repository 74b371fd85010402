import { createHash } from "node:crypto";
import { withRoom } from "../../model/packed/room.ts";
import { Texts } from "../../model/packed/texts.ts";
import type { Disk } from "./disk.ts";
import type { ManifestKind } from "./manifest.ts";
import { readLines } from "./lines.ts";
import { parseSnapshotLine } from "./snapshot-line.ts";
import { StoreError } from "../store-error.ts";

/**
 * What is kept of a kind in memory: where its objects are, not the objects. Positions run in file order, and a line
 * begins where the one before has ended.
 */
export class SnapshotIndex {
  readonly #urns = new Texts();
  #offsets = new Float64Array(8);
  /** Of the file, in bytes. */
  #end = 0;

  get count(): number {
    return this.#urns.size;
  }

  /** In file order. */
  urns(): Iterable<string> {
    return this.#urns;
  }

  position(urn: string): number | undefined {
    const position = this.#urns.find(urn);
    return position < 0 ? undefined : position;
  }

  urn(position: number): string {
    return this.#urns.at(position);
  }

  offset(position: number): number {
    return this.#offsets[position] ?? 0;
  }

  /** In bytes, without the line feed. */
  length(position: number): number {
    const end = position + 1 < this.count ? this.offset(position + 1) : this.#end;
    return end - this.offset(position) - 1;
  }

  /** The next line of the file, with its line feed as long as this. A URN comes once. */
  add(urn: string, length: number): void {
    const position = this.#urns.add(urn);
    this.#offsets = withRoom(this.#offsets, position);
    this.#offsets[position] = this.#end;
    this.#end += length;
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
    for (const { bytes, number, ended } of lines) {
      const object = ended ? parseSnapshotLine(bytes) : undefined;
      if (object === undefined) throw damaged(path, `line ${number} is not an object of a snapshot`);
      if (index.position(object.urn) !== undefined)
        throw damaged(path, `line ${number} repeats the URN of an earlier line`);
      index.add(object.urn, bytes.length + 1);
    }
  }
  if (index.count !== expected.count) {
    throw damaged(path, `it holds ${index.count} objects, and the manifest says ${expected.count}`);
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
