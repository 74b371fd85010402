import type { Call } from "../path/calls.ts";

/** What the emulated service is told from outside its process, and what it says to that. */
export interface Orders {
  /** Two environments: `large:N` of objects of the demo's size, or one of the emulator's own scenarios. */
  readonly prepare: (content: Content) => Prepared;
  /** Every answer takes this much longer, milliseconds. */
  readonly delay: (ms: number) => null;
  /** The fewest requests that a run can do with, now: for a first run, and for one without changes. */
  readonly least: (run: "first" | "unchanged") => Counts;
  /** Requests since the last `clear`, without those for tokens, by environment and route. */
  readonly counts: () => Counts;
  /** Every request since the last `clear`, for the critical path. Kept only where `prepare` said so. */
  readonly calls: () => readonly Call[];
  /** Writes them to a file, one a line, for a bare client. */
  readonly record: (file: string) => number;
  readonly clear: () => null;
}

export interface Content {
  /**
   * How many objects to move, about; or nothing; or terms alone; or rows of one table; or records of one entity; or columns
   * that somebody described.
   */
  readonly objects:
    | number
    | "empty"
    | { readonly terms: number }
    | { readonly rows: number }
    | { readonly columns: number }
    | { readonly records: number };
  readonly keepLog: boolean;
}

export interface Prepared {
  readonly url: string;
  /** Of the master-data servers, with the name of the environment behind it. */
  readonly masterDataUrl: string;
  /** What the source has to move. */
  readonly objects: number;
}

/** By `environment route`. */
export type Counts = Readonly<Record<string, number>>;

export type OrderName = keyof Orders;

export interface Order<Name extends OrderName = OrderName> {
  readonly id: number;
  readonly name: Name;
  readonly argument: Parameters<Orders[Name]>[0] | undefined;
}

export type Reply =
  | { readonly id: number; readonly done: unknown }
  | { readonly id: number; readonly failed: string };
