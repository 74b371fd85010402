import type { PlannedRow } from "./line.ts";

interface Batch {
  readonly first: number;
  readonly last: number;
  left: number;
}

/** Up to which line of a table's file everything has come to its end: whoever goes on begins there. */
export class Marks {
  readonly #batches: Batch[] = [];
  readonly #of = new WeakMap<PlannedRow["task"], Batch>();
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
    const batch: Batch = { first: rows[0]?.line ?? 0, last: rows.at(-1)?.line ?? 0, left: rows.length };
    this.#batches.push(batch);
    for (const { task } of rows) this.#of.set(task, batch);
  }

  final(task: PlannedRow["task"]): void {
    const batch = this.#of.get(task);
    if (batch === undefined) return;
    this.#of.delete(task);
    batch.left -= 1;
    for (let [first] = this.#batches; first?.left === 0; [first] = this.#batches) {
      this.#line = first.last + 1;
      this.#batches.shift();
    }
  }
}
