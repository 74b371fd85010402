import type { DiskFile } from "./disk.ts";

/** Of a buffer that is used again. */
const spareSize = 5 << 16;
const mostSpares = 8;
/** What needs no more than that is of a file that stays small. */
const small = 1 << 14;
const smallest = 1 << 9;

const spares: Buffer[] = [];
const nothing: Buffer = Buffer.alloc(0);

/**
 * What is about to be written, as bytes in one buffer, which is used again once it is written: a run writes a few hundred
 * megabytes in pieces, and memory that is taken anew for each of them comes back late.
 */
export class Bytes {
  #buffer: Buffer = nothing;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds a text as UTF-8; how many bytes that is. */
  text(text: string): number {
    // No character is more than three bytes.
    if (3 * text.length > this.#buffer.length - this.#length) this.#room(Buffer.byteLength(text));
    const length = this.#buffer.write(text, this.#length);
    this.#length += length;
    return length;
  }

  add(bytes: Buffer): void {
    this.#room(bytes.length);
    bytes.copy(this.#buffer, this.#length);
    this.#length += bytes.length;
  }

  /** Puts ASCII in the place of what stands there. */
  put(text: string, at: number): void {
    this.#buffer.write(text, at, "latin1");
  }

  /** From there to the end; good until more is added, or all is written or cleared. */
  view(from = 0): Buffer {
    return this.#buffer.subarray(from, this.#length);
  }

  /** From the beginning, in the same room. */
  clear(): void {
    this.#length = 0;
  }

  /** Appends all of it to a file. Nothing is to be added from then on. */
  appendTo(file: DiskFile): Promise<void> {
    const done = file.appendFile(this.view());
    const release = (): void => this.release();
    done.then(release, release);
    return done;
  }

  /** Nobody needs it any more. */
  release(): void {
    if (this.#buffer.length === spareSize && spares.length < mostSpares) spares.push(this.#buffer);
    this.#buffer = nothing;
    this.#length = 0;
  }

  #room(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#buffer.length) return;
    const larger = roomFor(needed);
    this.#buffer.copy(larger, 0, 0, this.#length);
    const length = this.#length;
    this.release();
    this.#buffer = larger;
    this.#length = length;
  }
}

function roomFor(needed: number): Buffer {
  if (needed <= small) return Buffer.allocUnsafe(Math.max(smallest, Math.min(small, 2 * needed)));
  if (needed > spareSize) return Buffer.allocUnsafeSlow(2 * needed);
  return spares.pop() ?? Buffer.allocUnsafeSlow(spareSize);
}
