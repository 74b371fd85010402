import type { JournalRecord } from "../model/journal.ts";
import type { JsonObject } from "../model/json.ts";
import type { RowPrint } from "../model/row-print.ts";

/**
 * In the order of their keys; a key may come several times where nobody has seen to it that it does not, in the order in which they were
 * added.
 */
export interface SortedPrints extends Iterable<RowPrint> {
  readonly size: number;
  get(key: string): RowPrint | undefined;
  close(): void;
}

/** As of the last apply. */
export interface KnownRows extends SortedPrints {
  /** What the prints are of: they say nothing once keys or columns are others. */
  readonly sense: string;
}

/** Sorts what does not fit into memory. Whoever made it ends it, by `finish` or `abandon`. */
export interface PrintSorter {
  /** Await it when it is a promise. */
  add(print: RowPrint): void | Promise<void>;
  finish(): Promise<SortedPrints>;
  abandon(): Promise<void>;
}

/** Lines about the rows of a table, one JSON object each; the file before it stands until it is finished. */
export interface RowsWriter {
  /** The object, or its text. */
  add(row: JsonObject | string): void | Promise<void>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

/**
 * The lines of a table in the making, with the prints of the rows that were looked at: whoever goes on with a killed run
 * begins where it was kept last. `abandon` leaves what was kept; `finish` puts the lines in their place.
 */
export interface RowsDraft extends RowsWriter {
  /** What was said when it was kept last; undefined where it begins. */
  readonly kept: JsonObject | undefined;
  /** Up to there, some at a time; before anything is added. */
  keptLines(): AsyncIterable<readonly JsonObject[]>;
  /** In the order in which they came. */
  keptPrints(): Iterable<RowPrint>;
  /** Await it when it is a promise. */
  addPrint(print: RowPrint): void | Promise<void>;
  /** All that was added counts from now on. */
  keep(state: JsonObject): Promise<void>;
}

/** How much is kept of what runs did to the rows of a table. */
export interface LogsKept {
  readonly runs: number;
  /** Of all of them together. */
  readonly bytes: number;
}

/** What a run did to the rows of one table. */
export interface RowLog {
  readonly table: string;
  readonly run: string;
  /** The run did not come to its end: something in it may be without an outcome. */
  readonly isOpen: boolean;
  /** It was there, and is kept no more: nothing can be taken back by it. */
  readonly isDropped?: true;
  readonly records: () => AsyncIterable<JournalRecord>;
}
