import type { OpenTable, TableWriter } from "../../kinds/kind.ts";
import type { PrintSorter } from "../../store/index.ts";
import type { TableLog } from "./log.ts";
import type { PlannedRow } from "./line.ts";
import type { Marks } from "./marks.ts";
import type { RowPolicy } from "./unasked.ts";
import type { RowTrouble } from "./written.ts";

export interface WriteOptions {
  /** As people call the table. */
  readonly name: string;
  readonly open: OpenTable;
  readonly writer: TableWriter;
  readonly log: TableLog;
  /** What is known of rows from now on. */
  readonly known?: PrintSorter;
  /** Rows are taken back: what was known before they were written is known again. */
  readonly isBack: boolean;
  readonly concurrency: number;
  readonly quietPeriodMs: number;
  /** Waits for what is left of the quiet period, for so many rows, and tells it. Rejects when the run is stopped. */
  readonly quiet: (ms: number, rows: number) => Promise<void>;
  /** What of that which earlier runs have begun is asked for still. */
  readonly policy: RowPolicy;
  /** So many may be refused. */
  readonly mostRefused: number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly stop: AbortSignal;
  readonly progress: (done: number, inFlight: number) => void;
  /** Learns what has come to its end. */
  readonly marks?: Marks;
  /** Hears of each row that is refused: of what is told by name there are a few. */
  readonly refusing?: (row: RowTrouble) => void;
  /** No later look finds what it is told: it is on record when this comes back. */
  readonly note: (row: RowTrouble) => Promise<void>;
}

/** A row whose answer was lost. */
export interface Lost {
  readonly planned: PlannedRow;
  readonly op: string;
  /**
   * When its answer was lost, by a clock that nobody sets (`settle/quiet.ts`): what an earlier process lost counts from
   * when this one took it up.
   */
  readonly at: number;
  readonly looked?: true;
  /** A run before this one has lost it: what stands there now is compared after this. */
  readonly isLeft?: true;
  /** The plan of now leaves it to somebody: unless it is there, or begun, nothing more is sent. */
  readonly isUnasked?: true;
}
