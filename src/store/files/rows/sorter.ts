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
    const lines = this.#lines.sort();
    if (lines.length === 0 && this.#runs.length > 0) return;
    this.#lines = [];
    this.#runs.push(await this.#write(lines));
  }

  *#merged(): Generator<string, void, undefined> {
    const runs = this.#runs.map((path) => new SortedLines(this.#disk, path));
    try {
      const heads = runs.map((run) => run[Symbol.iterator]()).map((rows) => ({ rows, line: next(rows) }));
      for (;;) {
        let least: (typeof heads)[number] | undefined;
        for (const head of heads) {
          if (head.line === undefined) continue;
          if (least?.line === undefined || head.line < least.line) least = head;
        }
        if (least?.line === undefined) return;
        yield least.line;
        least.line = next(least.rows);
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

function next(rows: Iterator<RowPrint>): string | undefined {
  const row = rows.next();
  return row.done === true ? undefined : lineOf(row.value);
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
