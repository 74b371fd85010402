import { createHash } from "node:crypto";
import type { ManifestKind } from "./manifest.ts";
import { readLines } from "./lines.ts";
import { parseSnapshotLine } from "./snapshot-line.ts";
import { StoreError } from "./store-error.ts";

/** What is kept of a kind in memory: where its objects are, not the objects. Arrays run in file order. */
export interface SnapshotIndex {
  readonly urns: readonly string[];
  readonly names: readonly string[];
  readonly offsets: readonly number[];
  /** In bytes, without the line feed. */
  readonly lengths: readonly number[];
  readonly positions: ReadonlyMap<string, number>;
}

/** Reads the file once, from end to end, and refuses anything that the manifest does not vouch for. */
export async function indexSnapshotFile(path: string, expected: ManifestKind): Promise<SnapshotIndex> {
  const [urns, names, offsets, lengths]: [string[], string[], number[], number[]] = [[], [], [], []];
  const positions = new Map<string, number>();
  const sha256 = createHash("sha256");
  for await (const { chunk, lines } of readLines(path)) {
    sha256.update(chunk);
    for (const { bytes, offset, number, ended } of lines) {
      const object = ended ? parseSnapshotLine(bytes) : undefined;
      if (object === undefined) throw damaged(path, `line ${number} is not an object of a snapshot`);
      if (positions.has(object.urn)) throw damaged(path, `line ${number} repeats the URN of an earlier line`);
      positions.set(object.urn, urns.length);
      urns.push(object.urn);
      names.push(object.name);
      offsets.push(offset);
      lengths.push(bytes.length);
    }
  }
  if (urns.length !== expected.count) {
    throw damaged(path, `it holds ${urns.length} objects, and the manifest says ${expected.count}`);
  }
  if (sha256.digest("hex") !== expected.sha256)
    throw damaged(path, "its checksum is not the one in the manifest");
  return { urns, names, offsets, lengths, positions };
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
