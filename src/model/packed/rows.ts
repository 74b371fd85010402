import type { MappingEntry } from "../mapping.ts";
import { Blobs } from "./blobs.ts";
import type { SharedTexts } from "./entry.ts";
import { EntryReader, EntryWriter, Shared } from "./entry.ts";
import { FrozenRows } from "./frozen-rows.ts";
import { withRoom } from "./room.ts";
import { Texts } from "./texts.ts";

/**
 * Rows of the mapping of one kind by source, in some 100 bytes each outside of the heap, and 32 for each key. A row is
 * written down when it is set and read back when it is asked for: there is one copy, and none of it can be changed
 * behind its back. Runs in the order in which its sources first came.
 */
export class PackedRows implements ReadonlyMap<string, MappingEntry> {
  readonly #sources = new Texts();
  /** One more than the position of each row; 0 where there is none any more. */
  #places = new Float64Array(8);
  #size = 0;
  #revision = 0;
  readonly #blobs = new Blobs();
  readonly #writer: EntryWriter;
  readonly #reader: EntryReader;
  /** The row that was asked for last: whoever looks at one looks at several of its fields. */
  #last: { readonly number: number; readonly entry: MappingEntry } | undefined;

  constructor(shared: SharedTexts = { runs: new Shared(), prefixes: new Shared() }) {
    this.#writer = new EntryWriter(shared);
    this.#reader = new EntryReader(shared);
  }

  static of(entries: Iterable<readonly [string, MappingEntry]>): PackedRows {
    const rows = new PackedRows();
    for (const [source, entry] of entries) rows.set(source, entry);
    return rows;
  }

  get size(): number {
    return this.#size;
  }

  get(source: string): MappingEntry | undefined {
    return this.#entry(this.#sources.find(source));
  }

  has(source: string): boolean {
    return this.#place(this.#sources.find(source)) > 0;
  }

  set(source: string, entry: MappingEntry): void {
    const length = this.#writer.write(entry);
    this.#put(source, this.#writer.bytes, length);
  }

  /** Whether the row is written down just so. */
  holds(source: string, entry: MappingEntry): boolean {
    const place = this.#place(this.#sources.find(source));
    if (place === 0) return false;
    const length = this.#writer.write(entry);
    return this.#blobs.at(place - 1).equals(this.#writer.bytes.subarray(0, length));
  }

  delete(source: string): boolean {
    const number = this.#sources.find(source);
    if (this.#place(number) === 0) return false;
    this.#places[number] = 0;
    this.#size -= 1;
    this.#revision += 1;
    this.#last = undefined;
    return true;
  }

  /** Sources of which the other one has a row as well. */
  *shared(other: PackedRows): Generator<string, undefined> {
    if (!this.#sources.mayShare(other.#sources)) return;
    const [fewer, more] = this.size < other.size ? [this, other] : [other, this];
    for (const source of fewer.keys()) if (more.has(source)) yield source;
  }

  /** The source that has this number: whoever keeps numbers keeps no texts. */
  source(number: number): string {
    return this.#sources.at(number);
  }

  number(source: string): number {
    return this.#sources.find(source);
  }

  /** A copy that runs in the order of its sources, by UTF-16 code unit. */
  sorted(): PackedRows {
    return PackedRows.of(this.inOrder());
  }

  /** As they are now, in that order, however they are changed from now on. To be released. */
  frozen(): FrozenRows {
    const numbers = this.#inOrder();
    const positions = Float64Array.from(numbers, (number) => this.#place(number) - 1);
    return new FrozenRows({
      sources: this.#sources,
      blobs: this.#blobs,
      reader: this.#reader,
      numbers,
      positions,
    });
  }

  /** In the order of its sources, by UTF-16 code unit. */
  *inOrder(): Generator<[string, MappingEntry], undefined> {
    for (const number of this.#inOrder()) {
      const entry = this.#entry(number);
      if (entry !== undefined) yield [this.#sources.at(number), entry];
    }
  }

  #inOrder(): Uint32Array {
    const numbers = new Uint32Array(this.#size);
    let count = 0;
    for (let number = 0; number < this.#sources.size; number += 1)
      if (this.#place(number) > 0) numbers[count++] = number;
    return numbers.sort((one, other) => this.#sources.compare(one, other));
  }

  /** Moves whenever a row does: what has the same revision is the same. */
  get revision(): number {
    return this.#revision;
  }

  /** What stands for a key of the row with this number. */
  key(number: number, key: string): string | undefined {
    const place = this.#place(number);
    return place === 0 ? undefined : this.#reader.key(this.#blobs.at(place - 1), key);
  }

  /** The names of its keys. */
  keyNames(number: number): readonly string[] {
    const place = this.#place(number);
    return place === 0 ? [] : this.#reader.keyNames(this.#blobs.at(place - 1));
  }

  /** What each row is of and what it leads to, without reading all that it says, with its number. */
  *twins(): Generator<readonly [source: string, target: string, number: number], undefined> {
    for (let number = 0; number < this.#sources.size; number += 1) {
      const place = this.#place(number);
      if (place > 0) yield [this.#sources.at(number), this.#reader.target(this.#blobs.at(place - 1)), number];
    }
  }

  *entries(): Generator<[string, MappingEntry], undefined> {
    for (let number = 0; number < this.#sources.size; number += 1) {
      const entry = this.#entry(number);
      if (entry !== undefined) yield [this.#sources.at(number), entry];
    }
  }

  *keys(): Generator<string, undefined> {
    for (let number = 0; number < this.#sources.size; number += 1)
      if (this.#place(number) > 0) yield this.#sources.at(number);
  }

  target(source: string): string | undefined {
    const place = this.#place(this.#sources.find(source));
    return place === 0 ? undefined : this.#reader.target(this.#blobs.at(place - 1));
  }

  /** Of all rows. */
  *targets(): Generator<string, undefined> {
    for (let number = 0; number < this.#sources.size; number += 1) {
      const place = this.#place(number);
      if (place > 0) yield this.#reader.target(this.#blobs.at(place - 1));
    }
  }

  name(source: string): string | undefined {
    const place = this.#place(this.#sources.find(source));
    return place === 0 ? undefined : this.#reader.name(this.#blobs.at(place - 1));
  }

  /** Rows that hold more than nearly all do, as what is not done yet. */
  *unusual(): Generator<[string, MappingEntry], undefined> {
    for (let number = 0; number < this.#sources.size; number += 1) {
      const place = this.#place(number);
      if (place > 0 && this.#reader.isUnusual(this.#blobs.at(place - 1)))
        yield [this.#sources.at(number), this.#reader.read(this.#blobs.at(place - 1))];
    }
  }

  *values(): Generator<MappingEntry, undefined> {
    for (let number = 0; number < this.#sources.size; number += 1) {
      const entry = this.#entry(number);
      if (entry !== undefined) yield entry;
    }
  }

  [Symbol.iterator](): Generator<[string, MappingEntry], undefined> {
    return this.entries();
  }

  forEach(
    look: (entry: MappingEntry, source: string, rows: ReadonlyMap<string, MappingEntry>) => void,
  ): void {
    for (const [source, entry] of this.entries()) look(entry, source, this);
  }

  #put(source: string, bytes: Buffer, length: number): void {
    const number = this.#sources.add(source);
    this.#places = withRoom(this.#places, number);
    const place = this.#place(number);
    const position =
      place > 0 ? this.#blobs.replace(place - 1, bytes, length) : this.#blobs.add(bytes, length);
    this.#places[number] = position + 1;
    if (place === 0) this.#size += 1;
    this.#revision += 1;
    this.#last = undefined;
  }

  #place(number: number): number {
    return number < 0 ? 0 : (this.#places[number] ?? 0);
  }

  #entry(number: number): MappingEntry | undefined {
    if (this.#last !== undefined && this.#last.number === number) return this.#last.entry;
    const place = this.#place(number);
    if (place === 0) return undefined;
    const entry = this.#reader.read(this.#blobs.at(place - 1));
    this.#last = { number, entry };
    return entry;
  }
}
