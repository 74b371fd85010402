import type { RowPrint } from "../../model/row-print.ts";
import type { JsonObject } from "../../model/json.ts";
import { parseJson } from "../../model/json-text.ts";
import type { PrintSorter, RowsDraft, SortedPrints } from "../rows.ts";

/** Prints of rows, sorted in memory. */
export class MemoryPrints implements SortedPrints {
  readonly #sorted: readonly RowPrint[];
  #byKey: ReadonlyMap<string, RowPrint> | undefined;

  constructor(prints: readonly RowPrint[]) {
    this.#sorted = prints.toSorted(({ key: left }, { key: right }) =>
      left < right ? -1 : Number(left > right),
    );
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

/** What of a draft was kept. */
export interface KeptDraft {
  readonly lines: readonly string[];
  readonly prints: readonly RowPrint[];
  readonly state: string;
}

export class MemoryDraft implements RowsDraft {
  readonly kept: JsonObject | undefined;
  readonly #lines: string[];
  readonly #prints: RowPrint[];
  readonly #keep: (draft: KeptDraft) => void;
  readonly #finish: (lines: string[]) => void;

  constructor(
    from: KeptDraft | undefined,
    keep: (draft: KeptDraft) => void,
    finish: (lines: string[]) => void,
  ) {
    this.kept = from === undefined ? undefined : (parseJson(from.state) as JsonObject);
    this.#lines = [...(from?.lines ?? [])];
    this.#prints = [...(from?.prints ?? [])];
    this.#keep = keep;
    this.#finish = finish;
  }

  async *keptLines(): AsyncGenerator<readonly JsonObject[], void, undefined> {
    for (const line of this.#lines) yield [parseJson(line) as JsonObject];
  }

  keptPrints(): Iterable<RowPrint> {
    return [...this.#prints];
  }

  add(row: JsonObject | string): void {
    this.#lines.push(typeof row === "string" ? row : JSON.stringify(row));
  }

  addPrint(print: RowPrint): void {
    this.#prints.push(print);
  }

  async keep(state: JsonObject): Promise<void> {
    this.#keep({ lines: [...this.#lines], prints: [...this.#prints], state: JSON.stringify(state) });
  }

  async finish(): Promise<void> {
    this.#finish(this.#lines);
  }

  async abandon(): Promise<void> {}
}
