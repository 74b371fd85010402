import type { OpenTable, Row, RowTask, TableWriter } from "../../kinds/kind.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import { lookedUp } from "./look-up.ts";
import { chunks } from "./pages.ts";
import type { SentRow } from "./releases.ts";
import type { Outcomes } from "./written.ts";

const draftIsTheirs =
  "somebody has changed its draft at the target since it was sent: publish the draft, or discard it, in the web application";

interface AsSent {
  readonly writer: TableWriter;
  readonly open: OpenTable;
  readonly outcomes: Outcomes;
  /** Somebody has published it, as they changed it. */
  readonly shown: (row: SentRow, values: Row["values"]) => Promise<void>;
}

/**
 * Of what an earlier run has sent that which stands as it was sent: it may be released. What somebody has written into since is theirs
 * until they publish it; then it shows, and is compared like anything else.
 */
export async function asSent(rows: readonly SentRow[], options: AsSent): Promise<readonly SentRow[]> {
  const { writer, open, outcomes, shown } = options;
  if (writer.strayed === undefined) return rows;
  const kept: SentRow[] = [];
  for (const chunk of chunks(rows, open.perLookUp)) {
    let strayed: ReadonlySet<RowTask>;
    try {
      strayed = await writer.strayed(chunk.map(({ planned }) => planned.task));
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) throw error;
      if (trouble.fatal !== undefined) outcomes.fatal ??= trouble;
      // They are in the draft still, and the next run looks again.
      outcomes.late += chunk.length;
      continue;
    }
    kept.push(...chunk.filter(({ planned }) => !strayed.has(planned.task)));
    const others = chunk.filter(({ planned }) => strayed.has(planned.task));
    if (others.length === 0) continue;
    const found = await lookedUp(
      open,
      others.map(({ planned }) => planned.task),
    );
    for (const row of others) {
      const { action, key, name } = row.planned.task;
      const there = found.get(key)?.find(({ address }) => address === row.address);
      if (action !== "create" || there === undefined) {
        outcomes.unclear.push({ key, name, reason: draftIsTheirs });
        continue;
      }
      outcomes.done.create += 1;
      await shown(row, there.values);
    }
  }
  return kept;
}
