import type { JournalRecord } from "../../model/journal.ts";
import { StoreError } from "../store-error.ts";
import type { Journal } from "../store.ts";

/** Where the lines of a journal are kept. */
export interface Lines {
  lines: string[];
}

export class MemoryJournal implements Journal {
  syncs = 0;
  readonly #place: Lines;
  readonly #check: () => void;
  #isClosed = false;

  constructor(place: Lines, check: () => void) {
    this.#place = place;
    this.#check = check;
  }

  get bytes(): number {
    return this.#place.lines.reduce((sum, line) => sum + line.length + 1, 0);
  }

  append(record: JournalRecord): Promise<void> {
    return this.appendAll([record]);
  }

  async appendAll(records: readonly JournalRecord[]): Promise<void> {
    const lines = records.map((record) => JSON.stringify(record));
    this.#refuseClosed();
    if (lines.length === 0) return;
    this.#check();
    this.#place.lines.push(...lines);
    this.syncs += 1;
  }

  async restart(records: readonly JournalRecord[] = []): Promise<void> {
    this.#refuseClosed();
    this.#check();
    this.#place.lines = records.map((record) => JSON.stringify(record));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #refuseClosed(): void {
    if (!this.#isClosed) return;
    throw new StoreError(
      "journal-closed",
      "",
      "the journal was closed: nothing can be recorded",
      "Run it again.",
    );
  }
}
