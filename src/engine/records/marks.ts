import type { PlannedRow } from "./line.ts";

interface Batch {
  /** Of its rows, in order; undefined for one that has come to its end. */
  readonly lines: (number | undefined)[];
  readonly last: number;
  left: number;
}

/** Up to which line of a table's file everything has come to its end: whoever goes on begins there. */
export class Marks {
  readonly #batches: Batch[] = [];
  #line: number;
  /** The first of those that were left. */
  #left = Infinity;

  constructor(line: number) {
    this.#line = line;
  }

  get line(): number {
    return Math.min(this.#line, this.#left);
  }

  /** Nothing of it was sent: whoever goes on tells of it as well. Before what comes behind it is begun. */
  leave({ line = Infinity }: Pick<PlannedRow, "line">): void {
    this.#left = Math.min(this.#left, line);
  }

  /** In the order of the file. */
  begin(rows: readonly PlannedRow[]): void {
    const lines = rows.map(({ line = 0 }) => line);
    this.#batches.push({ lines, last: lines.at(-1) ?? 0, left: lines.length });
  }

  final({ line }: Pick<PlannedRow, "line">): void {
    if (line === undefined) return;
    const batch = this.#with(line);
    const place = batch?.lines.indexOf(line) ?? -1;
    if (batch === undefined || place < 0) return;
    batch.lines[place] = undefined;
    batch.left -= 1;
    for (let [first] = this.#batches; first?.left === 0; [first] = this.#batches) {
      this.#line = first.last + 1;
      this.#batches.shift();
    }
  }

  /** The first that ends with that line or behind it. */
  #with(line: number): Batch | undefined {
    let low = 0;
    for (let high = this.#batches.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((this.#batches[middle]?.last ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return this.#batches[low];
  }
}
