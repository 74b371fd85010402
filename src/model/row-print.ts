/**
 * Rows of tables are never objects in memory: there may be millions of them. What is kept of one is two prints, by a
 * digest of its key; what a run finds and does goes through files of lines.
 */
export interface RowPrint {
  /** 32 hexadecimal digits. */
  readonly key: string;
  /** 16 each; what a row is at the source, and at the target. */
  readonly source: string;
  readonly target: string;
}

/** In a change of what is kept: nothing is known of the row any more. */
export const forgotten = "0".repeat(16);

/** Of the source, where a part of a row is written and the rest is not: it is like no row, so the next look finds what is left. */
export const partWritten = "f".repeat(16);
