import type { RowPrint } from "../../model/row-print.ts";
import type { PrintSorter, SortedPrints } from "../rows.ts";

/** Prints of rows, sorted in memory. */
export class MemoryPrints implements SortedPrints {
  readonly #sorted: readonly RowPrint[];
  #byKey: ReadonlyMap<string, RowPrint> | undefined;

  constructor(prints: readonly RowPrint[]) {
    this.#sorted = prints.toSorted((one, other) => {
      const [left, right] = [textOf(one), textOf(other)];
      return left < right ? -1 : Number(left > right);
    });
  }

  get size(): number {
    return this.#sorted.length;
  }

  get(key: string): RowPrint | undefined {
    this.#byKey ??= new Map(this.#sorted.toReversed().map((print) => [print.key, print]));
    return this.#byKey.get(key);
  }

  [Symbol.iterator](): Iterator<RowPrint> {
    return this.#sorted[Symbol.iterator]();
  }

  close(): void {}
}

export class MemorySorter implements PrintSorter {
  readonly #prints: RowPrint[] = [];

  add(print: RowPrint): void {
    this.#prints.push(print);
  }

  async finish(): Promise<SortedPrints> {
    return new MemoryPrints(this.#prints);
  }

  async abandon(): Promise<void> {}
}

function textOf({ key, source, target }: RowPrint): string {
  return key + source + target;
}
