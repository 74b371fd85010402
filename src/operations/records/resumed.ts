import type { OpenRow } from "../../engine/records/open-rows.ts";
import type { Written } from "../../engine/records/written.ts";
import type { OpenTable } from "../../kinds/kind.ts";
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
    const written = await remembering(migration, lease, former.table, async (known) =>
      send(some, former, isTold ? known : ofMade(some, former.open, known)),
    );
    resumed = merged(resumed, written);
  }
  return resumed;
}

/**
 * What shows of a row tells no print in that sense. Of what is made as a whole it is known what was sent: what somebody says since in columns
 * that this plan does not read is theirs, when it reads them again.
 */
function ofMade(rows: readonly OpenRow[], open: OpenTable | undefined, known: PrintSorter): PrintSorter {
  const made = new Map(
    rows.flatMap((row): [string, string][] => {
      const { key, print } = row.intent;
      return print !== undefined && isMadeWhole(row, open) ? [[key, print[0]]] : [];
    }),
  );
  return {
    add({ key }) {
      const print = made.get(key);
      return print === undefined ? undefined : known.add({ key, source: print, target: print });
    },
    finish: async () => known.finish(),
    abandon: async () => known.abandon(),
  };
}

/** What has a request of its own, and is not read, may be missing from what shows. */
function isMadeWhole({ intent, short }: OpenRow, open: OpenTable | undefined): boolean {
  const { action, values = {}, back } = intent;
  if (action !== "create" || back === true || short === true) return false;
  return Object.keys(values).every(
    (name) => open?.isRead?.(name) !== false || open.isMadeWith?.(name) !== false,
  );
}
