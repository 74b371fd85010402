import type { RowPrint } from "../../../model/row-print.ts";
import type { PrintSorter, SortedPrints } from "../../rows.ts";
import type { Disk } from "../disk.ts";
import { ioError } from "../io-error.ts";
import { removeFile } from "../remove.ts";
import { releaseTemporary, temporaryBeside } from "../temporary.ts";
import { lineOf, SortedLines } from "./sorted-lines.ts";

/** Lines in memory before they are written down in order. */
const most = 50_000;
const pieceLength = 1 << 16;
/** Of a line its beginning. */
const keyLength = 32;

/** Sorts through temporary files: runs that fit into memory, then all of them merged. */
export class FileSorter implements PrintSorter {
  readonly #disk: Disk;
  /** Temporary files stand beside it. */
  readonly #near: string;
  readonly #runs: string[] = [];
  #lines: string[] = [];

  constructor(disk: Disk, near: string) {
    this.#disk = disk;
    this.#near = near;
  }

  add(print: RowPrint): void | Promise<void> {
    this.#lines.push(lineOf(print));
    if (this.#lines.length >= most) return this.#spill();
  }

  async finish(): Promise<SortedPrints> {
    await this.#spill();
    const [only, ...others] = this.#runs;
    const path = only !== undefined && others.length === 0 ? only : await this.#write(this.#merged());
    for (const run of this.#runs.splice(0)) if (run !== path) await this.#remove(run);
    return new SortedLines(this.#disk, path, 0, () => {
      releaseTemporary(this.#disk, path);
      try {
        this.#disk.rmSync(path);
      } catch (error) {
        throw ioError(error, path, "write");
      }
    });
  }

  async abandon(): Promise<void> {
    for (const run of this.#runs.splice(0)) await this.#remove(run);
    this.#lines = [];
  }

  async #spill(): Promise<void> {
    const lines = inOrder(this.#lines);
    if (lines.length === 0 && this.#runs.length > 0) return;
    this.#lines = [];
    this.#runs.push(await this.#write(lines));
  }

  *#merged(): Generator<string, void, undefined> {
    const runs = this.#runs.map((path) => new SortedLines(this.#disk, path));
    try {
      const heads = runs.map((run) => run[Symbol.iterator]()).map((rows) => ({ rows, row: next(rows) }));
      for (;;) {
        // Of those with one key the one that was said first.
        let least: (typeof heads)[number] | undefined;
        for (const head of heads) {
          if (head.row === undefined) continue;
          if (least?.row === undefined || head.row.key < least.row.key) least = head;
        }
        if (least?.row === undefined) return;
        yield lineOf(least.row);
        least.row = next(least.rows);
      }
    } finally {
      for (const run of runs) run.close();
    }
  }

  async #write(lines: Iterable<string>): Promise<string> {
    const path = temporaryBeside(this.#disk, this.#near);
    try {
      const file = await this.#disk.open(path, "wx");
      try {
        await file.writeFile(pieces(lines));
      } finally {
        await file.close();
      }
    } catch (error) {
      throw ioError(error, this.#near, "write");
    }
    return path;
  }

  async #remove(path: string): Promise<void> {
    releaseTemporary(this.#disk, path);
    await removeFile(this.#disk, path);
  }
}

function next(rows: Iterator<RowPrint>): RowPrint | undefined {
  const row = rows.next();
  return row.done === true ? undefined : row.value;
}

/** By key; what is said of one key several times stays in the order in which it was said: that is seldom. */
function inOrder(said: readonly string[]): readonly string[] {
  const lines = said.toSorted();
  const twice = new Map<string, string[]>();
  for (const [at, line] of lines.entries()) {
    const key = line.slice(0, keyLength);
    if (lines[at + 1]?.startsWith(key) === true) twice.set(key, []);
  }
  if (twice.size === 0) return lines;
  for (const line of said) twice.get(line.slice(0, keyLength))?.push(line);
  const words = new Map(Array.from(twice, ([key, all]) => [key, all.values()]));
  return lines.map((line) => words.get(line.slice(0, keyLength))?.next().value ?? line);
}

/** Few writes for many short lines. */
function* pieces(lines: Iterable<string>): Generator<string, void, undefined> {
  let piece = "";
  for (const line of lines) {
    piece += line;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}
