const chunkBits = 20;
/** Bytes of a chunk; what is larger has one of its own. */
const chunkSize = 1 << chunkBits;
/** Of the first ones; those share their room with other small things. */
const smallest = 1 << 9;
/** Positions fit into 32 bits. */
const mostChunks = 1 << (32 - chunkBits);
/** Before each piece: how long it is, and how long it may become. */
const headSize = 8;

/** Pieces of bytes one after the other, outside of the heap, each by the position that it was given. */
export class Blobs {
  readonly #chunks: Buffer[] = [];
  #used = 0;
  /** Who relies on all that is there staying as it is. */
  #holders = 0;

  /** A copy of its first `length` bytes is kept. */
  add(bytes: Buffer, length: number): number {
    const size = headSize + length;
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || this.#used + size > chunk.length) {
      if (this.#chunks.length === mostChunks) throw new RangeError("there is no room for more");
      const next = chunk === undefined ? smallest : Math.min(chunkSize, 4 * chunk.length);
      chunk =
        next === smallest
          ? Buffer.allocUnsafe(Math.max(next, size))
          : Buffer.allocUnsafeSlow(Math.max(next, size));
      this.#chunks.push(chunk);
      this.#used = 0;
    }
    const position = (this.#chunks.length - 1) * chunkSize + this.#used;
    chunk.writeUInt32LE(length, this.#used);
    chunk.writeUInt32LE(length, this.#used + 4);
    bytes.copy(chunk, this.#used + headSize, 0, length);
    this.#used += size;
    return position;
  }

  /** Until the function that comes back is called, what stands at a position stays there as it is. */
  hold(): () => void {
    this.#holders += 1;
    return () => {
      this.#holders -= 1;
    };
  }

  /** Its new position; the same one where it is no longer than what stood there, which nobody holds. */
  replace(position: number, bytes: Buffer, length: number): number {
    const { chunk, offset } = this.#at(position);
    if (this.#holders > 0 || length > chunk.readUInt32LE(offset + 4)) return this.add(bytes, length);
    chunk.writeUInt32LE(length, offset);
    bytes.copy(chunk, offset + headSize, 0, length);
    return position;
  }

  /** The bytes themselves: to be read at once, and not to be written. */
  at(position: number): Buffer {
    const { chunk, offset } = this.#at(position);
    const begin = offset + headSize;
    return chunk.subarray(begin, begin + chunk.readUInt32LE(offset));
  }

  #at(position: number): { readonly chunk: Buffer; readonly offset: number } {
    const chunk = this.#chunks[Math.floor(position / chunkSize)];
    if (chunk === undefined) throw new RangeError(`nothing is kept at ${position}`);
    return { chunk, offset: position % chunkSize };
  }
}
