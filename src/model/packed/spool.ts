/** Room on disk for what does not fit into memory; nobody needs it after the run. Throws StoreError. */
export interface Scratch {
  /** All of it, behind what is there. */
  append(bytes: Buffer): void;
  /** Fills the buffer with what begins there. */
  read(into: Buffer, position: number): void;
}

const chunkSize = 1 << 18;
const smallest = 1 << 11;
/** Bytes that stay in memory before the first of them goes to disk: a run of a few thousand objects writes nothing. */
const mostInMemory = 1 << 22;
/** What is read in order is read so far ahead. */
const windowSize = 1 << 16;
/** So many places may be read in order by turns. */
const mostWindows = 4;
const headSize = 4;

interface Window {
  readonly begin: number;
  readonly end: number;
  /** Used again for what is read next. */
  readonly bytes: Buffer;
}

/** Texts by the place that each was given: the first ones in memory, and from some megabytes on all of them on disk. */
export class Spool {
  readonly #open: (() => Scratch) | undefined;
  #scratch: Scratch | undefined;
  /** Full ones, from `#written` on. */
  #chunks: Buffer[] = [];
  #chunk = Buffer.alloc(0);
  #used = 0;
  /** So many bytes are on disk. */
  #written = 0;
  /** The one that was used last stands last. */
  readonly #windows: Window[] = [];

  /** Without room on disk all of it stays in memory. */
  constructor(open?: () => Scratch) {
    this.#open = open;
  }

  /** Its place. */
  add(text: string): number {
    const length = Buffer.byteLength(text);
    const place = this.#written + this.#chunks.length * chunkSize + this.#used;
    const head = Buffer.allocUnsafe(headSize);
    head.writeUInt32LE(length);
    this.#append(head);
    if (length <= chunkSize - this.#used) {
      this.#grow(length);
      this.#used += this.#chunk.write(text, this.#used);
    } else this.#append(Buffer.from(text));
    return place;
  }

  at(place: number): string {
    const length = this.#bytes(place, headSize).readUInt32LE();
    return this.#bytes(place + headSize, length).toString();
  }

  #append(bytes: Buffer): void {
    for (let from = 0; from < bytes.length;) {
      if (this.#used === chunkSize) this.#next();
      this.#grow(Math.min(bytes.length - from, chunkSize - this.#used));
      const count = bytes.copy(this.#chunk, this.#used, from);
      this.#used += count;
      from += count;
    }
  }

  /** The chunk is small as long as there is little. */
  #grow(by: number): void {
    if (this.#used + by <= this.#chunk.length) return;
    const size = Math.min(chunkSize, Math.max(smallest, 4 * this.#chunk.length, this.#used + by));
    const grown = Buffer.allocUnsafeSlow(size);
    this.#chunk.copy(grown, 0, 0, this.#used);
    this.#chunk = grown;
  }

  #next(): void {
    this.#used = 0;
    // What is on disk leaves its room to what comes next.
    if (this.#scratch !== undefined) return this.#write(this.#scratch, this.#chunk);
    this.#chunks.push(this.#chunk);
    this.#chunk = Buffer.allocUnsafeSlow(chunkSize);
    if (this.#open === undefined || this.#chunks.length * chunkSize < mostInMemory) return;
    const scratch = this.#open();
    for (const chunk of this.#chunks) this.#write(scratch, chunk);
    this.#chunks = [];
    this.#scratch = scratch;
  }

  #write(scratch: Scratch, chunk: Buffer): void {
    scratch.append(chunk);
    this.#written += chunk.length;
  }

  #bytes(begin: number, length: number): Buffer {
    if (begin >= this.#written) return this.#inMemory(begin - this.#written, length);
    const onDisk = Math.min(length, this.#written - begin);
    const first = this.#onDisk(begin, onDisk);
    return onDisk === length ? first : Buffer.concat([first, this.#inMemory(0, length - onDisk)]);
  }

  #inMemory(begin: number, length: number): Buffer {
    const number = Math.floor(begin / chunkSize);
    const from = begin % chunkSize;
    const chunk = this.#chunks[number] ?? this.#chunk;
    if (from + length <= chunkSize) return chunk.subarray(from, from + length);
    const rest = length - (chunkSize - from);
    return Buffer.concat([chunk.subarray(from), this.#inMemory((number + 1) * chunkSize, rest)]);
  }

  #onDisk(begin: number, length: number): Buffer {
    const scratch = this.#scratch;
    if (scratch === undefined) throw new Error("nothing was written to disk");
    const at = this.#windows.findLastIndex((one) => one.begin <= begin && begin + length <= one.end);
    let [window] = at < 0 ? [] : this.#windows.splice(at, 1);
    if (window === undefined) {
      const size = Math.max(length, Math.min(windowSize, this.#written - begin));
      const oldest = this.#windows.length === mostWindows ? this.#windows.shift()?.bytes : undefined;
      const isFit = oldest !== undefined && oldest.length >= size && oldest.length <= 4 * windowSize;
      const bytes = isFit ? oldest : Buffer.allocUnsafeSlow(Math.max(size, windowSize));
      scratch.read(bytes.subarray(0, size), begin);
      window = { begin, end: begin + size, bytes };
    }
    this.#windows.push(window);
    return window.bytes.subarray(begin - window.begin, begin - window.begin + length);
  }
}
