import type { OpenRow } from "../../engine/records/open-rows.ts";
import type { Written } from "../../engine/records/written.ts";
import type { Lease, PrintSorter } from "../../store/index.ts";
import type { Migration } from "../migration.ts";
import { asThen, bySense } from "./as-then.ts";
import { remembering } from "./remembering.ts";
import type { OpenedTable } from "./tables.ts";
import { merged } from "./work-parts.ts";

/** Brings rows to their end; `known` hears of what is known of them from then on. */
export type Resume = (
  rows: readonly OpenRow[],
  former: OpenedTable,
  known: PrintSorter | undefined,
) => Promise<Written>;

interface Left {
  readonly rows: Iterable<OpenRow>;
  /** Of what their prints are, by run. */
  readonly senses: ReadonlyMap<string, string>;
}

/** What runs have left of a table, those of each sense together: plans that moved other parts of it may have left some. */
export async function resumedBySense(
  migration: Migration,
  lease: Lease,
  opened: OpenedTable,
  { rows, senses }: Left,
  send: Resume,
): Promise<Written | undefined> {
  let resumed: Written | undefined;
  for (const [sense, some] of bySense(rows, senses, opened.table.sense)) {
    const { former, isTold } = asThen(opened, sense);
    const written = isTold
      ? remembering(migration, lease, former.table, async (known) => send(some, former, known))
      : send(some, former, undefined);
    resumed = merged(resumed, await written);
  }
  return resumed;
}
