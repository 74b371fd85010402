import { createHash } from "node:crypto";
import { Names } from "../../model/packed/names.ts";
import { withRoom } from "../../model/packed/room.ts";
import { Texts } from "../../model/packed/texts.ts";
import type { Disk } from "./disk.ts";
import type { ManifestKind } from "./manifest.ts";
import { readLines } from "./lines.ts";
import { parseSnapshotLine } from "./snapshot-line.ts";
import { StoreError } from "../store-error.ts";

/** What is kept of a kind in memory: where its objects are, not the objects. Positions run in file order. */
export class SnapshotIndex {
  readonly #urns = new Texts();
  readonly #names = new Names();
  #offsets = new Float64Array(8);
  #lengths = new Uint32Array(8);

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

  name(position: number): string {
    return this.#names.at(position);
  }

  offset(position: number): number {
    return this.#offsets[position] ?? 0;
  }

  /** In bytes, without the line feed. */
  length(position: number): number {
    return this.#lengths[position] ?? 0;
  }

  /** A URN comes once. */
  add(urn: string, name: string, offset: number, length: number): void {
    const position = this.#urns.add(urn);
    this.#names.add(name);
    this.#offsets = withRoom(this.#offsets, position);
    this.#lengths = withRoom(this.#lengths, position);
    this.#offsets[position] = offset;
    this.#lengths[position] = length;
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
