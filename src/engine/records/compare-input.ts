import type { OpenTable, RowTable } from "../../kinds/kind.ts";
import type { Plan } from "../../model/plan.ts";
import type { RowPrint } from "../../model/row-print.ts";
import type { KnownRows, PrintSorter, Work } from "../../store/index.ts";
import type { Report } from "../progress.ts";
import type { CompareDraft } from "./compare-draft.ts";
import type { FormerRows } from "./former.ts";
import type { RowLine } from "./line.ts";

export interface CompareInput {
  readonly kind: string;
  readonly table: RowTable;
  readonly open: OpenTable;
  readonly work: Pick<Work, "writeRows" | "readRows" | "sortPrints">;
  readonly known: KnownRows | undefined;
  /** Of rows of which nothing is known in the sense that the plan has by now. */
  readonly formers?: readonly FormerRows[];
  /** What is known of rows by other words than the plan's: how many of these it does not look at. */
  readonly others?: readonly { readonly known: Iterable<RowPrint>; unmet(rows: number): void }[];
  /** Rows that earlier runs have left open, by the digest of their keys: why nothing is done with them now. */
  readonly left: ReadonlyMap<string, Pick<RowLine, "action" | "reason" | "name">>;
  readonly plan: Plan;
  readonly report: Report;
  /** Aborted: nothing new is read. */
  readonly stop: AbortSignal;
  /** Keeps it page by page, so that whoever goes on with a killed run begins where that one was. */
  readonly draft?: CompareDraft;
  /** What is as it should be and was not known, for whoever writes it down. */
  readonly settled?: PrintSorter;
}
