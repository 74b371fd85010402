import type { RowPrint } from "../../../model/row-print.ts";
import type { SortedPrints } from "../../rows.ts";
import type { Disk, DiskFileSync } from "../disk.ts";
import { ioError } from "../io-error.ts";

/** A print is a line of this many bytes: the file is searched by position. */
const width = 65;
const perBlock = 64;
const perPiece = 1_024;

export function lineOf({ key, source, target }: RowPrint): string {
  return `${key}${source}${target}\n`;
}

export function printOf(line: string): RowPrint {
  return { key: line.slice(0, 32), source: line.slice(32, 48), target: line.slice(48, 64) };
}

/** Lines of one width in the order of their keys, in a file from an offset on; a block of them is in memory. */
export class SortedLines implements SortedPrints {
  readonly size: number;
  readonly #path: string;
  readonly #file: DiskFileSync;
  readonly #offset: number;
  readonly #block = Buffer.alloc(width * perBlock);
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
    this.#onClose = onClose;
  }

  /** Keys are digests, and lie evenly: where one would be is hardly ever more than a block away. */
  get(key: string): RowPrint | undefined {
    let low = 0;
    let high = this.size;
    let guess = Math.floor((Number.parseInt(key.slice(0, 12), 16) / 2 ** 48) * this.size);
    while (low < high) {
      const from = Math.max(low, Math.min(guess - perBlock / 2, high - perBlock));
      const lines = this.#lines(from, Math.min(perBlock, high - from));
      const [first = "", last = ""] = [lines[0], lines.at(-1)];
      if (key < first.slice(0, 32)) high = from;
      else if (key > last.slice(0, 32)) low = from + lines.length;
      else {
        const line = lines.find((candidate) => candidate.startsWith(key));
        return line === undefined ? undefined : printOf(line);
      }
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

  #lines(from: number, count: number): readonly string[] {
    const read = this.#read(this.#block, from, count);
    const text = this.#block.toString("latin1", 0, read);
    return Array.from({ length: Math.floor(read / width) }, (_, index) =>
      text.slice(index * width, (index + 1) * width),
    );
  }

  #read(buffer: Buffer, from: number, count: number): number {
    try {
      return this.#file.read(buffer, 0, count * width, this.#offset + from * width);
    } catch (error) {
      throw ioError(error, this.#path, "read");
    }
  }
}
