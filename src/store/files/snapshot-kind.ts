import type { Disk, DiskFileSync } from "./disk.ts";
import { ioError } from "./io-error.ts";
import type { ManifestKind } from "./manifest.ts";
import type { SnapshotIndex } from "./snapshot-index.ts";
import { damaged, indexSnapshotFile } from "./snapshot-index.ts";
import type { SnapshotObject } from "../store.ts";
import { nameInLine, parseSnapshotLine } from "./snapshot-line.ts";
import type { StoreError } from "../store-error.ts";
import { isMissing } from "../store-error.ts";

const pieceSize = 1 << 18;
/** What is asked for in file order is read so far ahead. */
const blockSize = 1 << 16;
/** Objects of a few kilobytes each: what is asked for twice in a row is read once. */
const kept = 64;

/** One kind of an opened snapshot: the index in memory, the bodies on disk. */
export class SnapshotKind {
  readonly index: SnapshotIndex;
  readonly #path: string;
  readonly #file: DiskFileSync;
  /** Used again for every read: nothing keeps its bytes. It holds the file from `#begin` to `#end`. */
  #buffer = Buffer.alloc(0);
  #begin = 0;
  #end = 0;
  readonly #recent = new Map<number, SnapshotObject>();

  private constructor(path: string, file: DiskFileSync, index: SnapshotIndex) {
    this.#path = path;
    this.#file = file;
    this.index = index;
  }

  /** With the index of who has just written the file it is not read again. */
  static async open(
    disk: Disk,
    { path, shown }: { readonly path: string; readonly shown: string },
    expected: ManifestKind,
    index?: SnapshotIndex,
  ): Promise<SnapshotKind> {
    let file: DiskFileSync | undefined;
    try {
      file = disk.openSync(path, "r"); // kept open: an export that replaces the snapshot does not disturb us
      return new SnapshotKind(shown, file, index ?? (await indexSnapshotFile(disk, path, expected)));
    } catch (error) {
      file?.close();
      throw isMissing(error)
        ? damaged(shown, "the manifest names it, and it is missing", error)
        : ioError(error, shown, "read");
    }
  }

  object(urn: string): SnapshotObject | undefined {
    const position = this.index.position(urn);
    if (position === undefined) return undefined;
    const object = this.#recent.get(position) ?? this.#read(position, position + 1)[0];
    if (object === undefined) return undefined;
    this.#recent.delete(position); // to the end: the one used longest ago goes first
    this.#recent.set(position, object);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= kept) break;
      this.#recent.delete(oldest);
    }
    return object;
  }

  /** Read from the file: a name is asked for of few objects, and takes more room than all else that is kept of one. */
  name(urn: string): string | undefined {
    const position = this.index.position(urn);
    if (position === undefined) return undefined;
    const recent = this.#recent.get(position);
    if (recent !== undefined) return recent.name;
    const begin = this.index.offset(position);
    const name = nameInLine(this.#bytes(begin, begin + this.index.length(position)), urn);
    if (name === undefined) throw this.#changed(position);
    return name;
  }

  /** In file order, a piece of the file at a time. */
  *stream(): Generator<SnapshotObject, void, void> {
    const { index } = this;
    for (let from = 0; from < index.count;) {
      const limit = index.offset(from) + pieceSize;
      let to = from + 1;
      while (to < index.count && index.offset(to) < limit) to += 1;
      yield* this.#read(from, to);
      from = to;
    }
  }

  close(): void {
    this.#file.close();
  }

  #read(from: number, to: number): readonly SnapshotObject[] {
    const { index } = this;
    const begin = index.offset(from);
    const piece = this.#bytes(begin, index.offset(to - 1) + index.length(to - 1));
    const objects: SnapshotObject[] = [];
    for (let position = from; position < to; position += 1) {
      const at = index.offset(position) - begin;
      const object = parseSnapshotLine(piece.subarray(at, at + index.length(position)));
      if (object === undefined || index.position(object.urn) !== position) {
        throw this.#changed(position);
      }
      objects.push(object);
    }
    return objects;
  }

  #changed(position: number): StoreError {
    return damaged(this.#path, `line ${position + 1} changed while it was in use`);
  }

  /** One by one and in order they are asked for by who plans or sends: then a block serves many. */
  #bytes(begin: number, end: number): Buffer {
    if (begin < this.#begin || end > this.#end) {
      const isNext = begin >= this.#begin && begin - this.#end < blockSize;
      const last = this.index.count - 1;
      const most = Math.min(begin + blockSize, this.index.offset(last) + this.index.length(last));
      this.#fill(begin, end, isNext ? Math.max(end, most) : end);
    }
    return this.#buffer.subarray(begin - this.#begin, end - this.#begin);
  }

  /** Up to `most` when the file has so much, and to `end` at least. */
  #fill(begin: number, end: number, most: number): void {
    if (this.#buffer.length < most - begin) this.#buffer = Buffer.allocUnsafe(most - begin);
    const piece = this.#buffer.subarray(0, most - begin);
    [this.#begin, this.#end] = [begin, begin];
    while (this.#end < end) {
      const count = this.#readAt(piece, this.#end - begin, this.#end);
      if (count === 0) throw damaged(this.#path, "it became shorter while it was in use");
      this.#end += count;
    }
  }

  #readAt(piece: Buffer, from: number, position: number): number {
    try {
      return this.#file.read(piece, from, piece.length - from, position);
    } catch (error) {
      throw ioError(error, this.#path, "read");
    }
  }
}
