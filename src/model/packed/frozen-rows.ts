import type { MappingEntry } from "../mapping.ts";
import type { Blobs } from "./blobs.ts";
import type { EntryReader } from "./entry.ts";
import type { Texts } from "./texts.ts";

interface Parts {
  readonly sources: Texts;
  readonly blobs: Blobs;
  readonly reader: EntryReader;
  /** Of sources, in their order. */
  readonly numbers: Uint32Array;
  /** Where the row of each stands, in the same order. */
  readonly positions: Float64Array;
}

/**
 * Rows as they were at a moment, in the order of their sources, whatever becomes of the table meanwhile. They are no copy,
 * but 12 bytes a row: what they are read from stays as it is until they are released.
 */
export class FrozenRows implements Iterable<readonly [string, MappingEntry]> {
  readonly #parts: Parts;
  readonly #release: () => void;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#release = parts.blobs.hold();
  }

  get size(): number {
    return this.#parts.numbers.length;
  }

  *[Symbol.iterator](): Generator<[string, MappingEntry], undefined> {
    const { sources, blobs, reader, numbers, positions } = this.#parts;
    for (const [at, position] of positions.entries())
      yield [sources.at(numbers[at] ?? 0), reader.read(blobs.at(position))];
  }

  /** Of all rows. */
  *targets(): Generator<string, undefined> {
    const { blobs, reader, positions } = this.#parts;
    for (const position of positions) yield reader.target(blobs.at(position));
  }

  /** Asked once; they are not to be read any more. */
  release(): void {
    this.#release();
  }
}
