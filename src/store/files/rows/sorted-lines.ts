import type { RowPrint } from "../../../model/row-print.ts";
import type { SortedPrints } from "../../rows.ts";
import type { Disk, DiskFileSync } from "../disk.ts";
import { ioError } from "../io-error.ts";

/** A print is a line of this many bytes: the file is searched by position. */
export const width = 65;
const keyWidth = 32;
const perBlock = 64;
const perPiece = 1_024;
/** A table of a quarter of a million rows: a file that is no longer is read once, and not once a row. */
const mostHeld = 16 << 20;

export function lineOf({ key, source, target }: RowPrint): string {
  return `${key}${source}${target}\n`;
}

export function isLine(text: string): boolean {
  return /^[0-9a-f]{64}\n$/.test(text);
}

export function printOf(line: string): RowPrint {
  return { key: line.slice(0, 32), source: line.slice(32, 48), target: line.slice(48, 64) };
}

/**
 * Lines of one width in the order of their keys, in a file from an offset on. A block of them is in memory, or all where they are
 * few: the file that is open does not change.
 */
export class SortedLines implements SortedPrints {
  readonly size: number;
  readonly #path: string;
  readonly #file: DiskFileSync;
  readonly #offset: number;
  /** All of them, where they are few. */
  readonly #perBlock: number;
  #block = Buffer.alloc(0);
  /** Which lines are in the block. */
  #held = { from: 0, most: 0, count: 0 };
  readonly #onClose: () => void;
  #isOpen = true;

  constructor(disk: Disk, path: string, offset = 0, onClose: () => void = () => {}) {
    this.#path = path;
    this.#offset = offset;
    try {
      this.#file = disk.openSync(path, "r");
      // A line that was cut is no line.
      this.size = Math.max(0, Math.floor((this.#file.size() - offset) / width));
    } catch (error) {
      throw ioError(error, path, "read");
    }
    this.#perBlock = this.size * width <= mostHeld ? this.size : perBlock;
    this.#onClose = onClose;
  }

  /** Keys are digests, and lie evenly: where one would be is hardly ever more than a block away. */
  get(key: string): RowPrint | undefined {
    const wanted = Buffer.from(key, "latin1");
    let low = 0;
    let high = this.size;
    let guess = Math.floor((Number.parseInt(key.slice(0, 12), 16) / 2 ** 48) * this.size);
    while (low < high) {
      const { from, count } = this.#around(low, guess, high);
      // Somebody has cut the file.
      if (count === 0) return undefined;
      if (this.#compare(wanted, 0) < 0) high = from;
      else if (this.#compare(wanted, count - 1) > 0) low = from + count;
      else return this.#find(wanted, count);
      guess = Math.floor((low + high) / 2);
    }
    return undefined;
  }

  *[Symbol.iterator](): Generator<RowPrint, void, undefined> {
    const buffer = Buffer.alloc(width * perPiece);
    for (let at = 0; at < this.size; at += perPiece) {
      const count = Math.min(perPiece, this.size - at);
      const read = this.#read(buffer, at, count);
      const text = buffer.toString("latin1", 0, read);
      for (let from = 0; from < read; from += width) yield printOf(text.slice(from, from + width));
    }
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#file.close();
    this.#onClose();
  }

  /** Puts the lines around a guess into the block, where others are in it. */
  #around(low: number, guess: number, high: number): { readonly from: number; readonly count: number } {
    const half = Math.floor(this.#perBlock / 2);
    const from = Math.max(low, Math.min(guess - half, high - this.#perBlock));
    const most = Math.min(this.#perBlock, high - from);
    if (from === this.#held.from && most === this.#held.most) return this.#held;
    if (this.#block.length < most * width) this.#block = Buffer.alloc(this.#perBlock * width);
    const count = Math.floor(this.#read(this.#block, from, most) / width);
    this.#held = { from, most, count };
    return this.#held;
  }

  /** As `<` does, the key of a line in the block being on the right. */
  #compare(wanted: Buffer, line: number): number {
    return wanted.compare(this.#block, line * width, line * width + keyWidth);
  }

  /** The first of that key among so many in the block. */
  #find(wanted: Buffer, count: number): RowPrint | undefined {
    let low = 0;
    for (let high = count - 1; low < high;) {
      const middle = (low + high) >> 1;
      if (this.#compare(wanted, middle) > 0) low = middle + 1;
      else high = middle;
    }
    if (this.#compare(wanted, low) !== 0) return undefined;
    return printOf(this.#block.toString("latin1", low * width, (low + 1) * width));
  }

  #read(buffer: Buffer, from: number, count: number): number {
    try {
      // One request may be answered in part.
      for (let at = 0; ;) {
        const position = this.#offset + from * width + at;
        const read = at < count * width ? this.#file.read(buffer, at, count * width - at, position) : 0;
        if (read === 0) return at;
        at += read;
      }
    } catch (error) {
      throw ioError(error, this.#path, "read");
    }
  }
}
