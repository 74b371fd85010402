import type { OpenTable, TableWriter } from "../../kinds/kind.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import { lookedUp, says } from "./look-up.ts";
import { chunks } from "./pages.ts";
import type { SentRow } from "./releases.ts";
import type { Outcomes } from "./written.ts";

const draftIsTheirs =
  "somebody has changed its draft at the target since it was sent: publish the draft, or discard it, in the web application";

const draftIsGone =
  "the draft of it that was made at the target is not there any more, and it does not show: somebody has discarded or removed it, or put it up for a review";

interface AsSent {
  readonly writer: TableWriter;
  readonly open: OpenTable;
  readonly outcomes: Outcomes;
  readonly after: "draft" | "approval";
  /** What was changed is not there any more: nothing that is released would ever show. */
  readonly removed: (rows: readonly SentRow[]) => Promise<void>;
  /** They show: there is nothing left to be released. */
  readonly shown: (rows: readonly SentRow[]) => void;
}

/**
 * Of what an earlier run has sent that which stands as it was sent: it may be released. What somebody has written into since is theirs
 * until they publish it; then it shows, and is compared like anything else.
 */
export async function asSent(rows: readonly SentRow[], options: AsSent): Promise<readonly SentRow[]> {
  const { writer, open, outcomes, removed, shown, after } = options;
  if (writer.strayed === undefined) return rows;
  const kept: SentRow[] = [];
  for (const chunk of chunks(rows, open.perLookUp)) {
    try {
      // What shows is released already: what stands in its draft is somebody's next word, which is neither looked at nor released.
      const found = await lookedUp(
        open,
        chunk.map(({ planned }) => planned.task),
      );
      const isShown = ({ planned: { task } }: SentRow): boolean => (found.get(task.key)?.length ?? 0) > 0;
      const isThere = ({ planned: { task } }: SentRow): boolean =>
        task.action !== "delete" &&
        (found.get(task.key) ?? []).some(
          ({ values }) => task.action === "create" || says(values, task.values, open),
        );
      shown(chunk.filter(isThere));
      const hidden = chunk.filter((row) => !isThere(row));
      const tasks = hidden.map(({ planned }) => planned.task);
      const strayed = await writer.strayed(tasks, after);
      const asSent = hidden.filter(({ planned }) => !strayed.has(planned.task));
      const isRemoved = (row: SentRow): boolean => row.planned.task.action === "update" && !isShown(row);
      await removed(asSent.filter(isRemoved));
      kept.push(...asSent.filter((row) => !isRemoved(row)));
      for (const [{ key, name }, how] of strayed)
        outcomes.unclear.push({ key, name, reason: how === "gone" ? draftIsGone : draftIsTheirs });
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) throw error;
      if (trouble.fatal !== undefined) outcomes.fatal ??= trouble;
      // They are in the draft still, and the next run looks again.
      outcomes.late += chunk.length;
    }
  }
  return kept;
}
