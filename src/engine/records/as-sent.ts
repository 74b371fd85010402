import type { OpenTable, SentAfter, TableWriter } from "../../kinds/kind.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import { lookedUp, says } from "./look-up.ts";
import { chunks } from "./pages.ts";
import type { SentRow } from "./releases.ts";
import type { Outcomes } from "./written.ts";

const draftIsTheirs =
  "somebody has changed its draft at the target since it was sent: publish the draft, or discard it, in the web application";

const draftIsGone =
  "the draft of it that was made at the target is not there any more, and it does not show: somebody has discarded or removed it, or put it up for a review";

const reviewIsLost =
  "it is in a review that nobody can name, since the answer that named it was lost, or somebody has discarded its draft: approve or reject that review in the web application, and run again";

interface AsSent {
  readonly writer: TableWriter;
  readonly open: OpenTable;
  readonly outcomes: Outcomes;
  readonly after: SentAfter;
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
  const { writer, open, outcomes, removed, after } = options;
  if (writer.strayed === undefined) return rows;
  const gone = after === "lost-review" ? reviewIsLost : draftIsGone;
  const kept: SentRow[] = [];
  for (const chunk of chunks(rows, open.perLookUp)) {
    try {
      const { found, hidden } = await lookedAt(chunk, options);
      const isShown = ({ planned: { task } }: SentRow): boolean => (found.get(task.key)?.length ?? 0) > 0;
      const tasks = hidden.map(({ planned }) => planned.task);
      const strayed = await writer.strayed(tasks, after);
      const asSent = hidden.filter(({ planned }) => !strayed.has(planned.task));
      const isRemoved = (row: SentRow): boolean => row.planned.task.action === "update" && !isShown(row);
      await removed(asSent.filter(isRemoved));
      kept.push(...asSent.filter((row) => !isRemoved(row)));
      for (const [{ key, name }, how] of strayed)
        outcomes.unclear.push({ key, name, reason: how === "changed" ? draftIsTheirs : gone });
    } catch (error) {
      later(error, chunk, outcomes);
    }
  }
  return kept;
}

/** Those that do not show. */
export async function notShown(
  rows: readonly SentRow[],
  options: Pick<AsSent, "open" | "outcomes" | "shown">,
): Promise<readonly SentRow[]> {
  const kept: SentRow[] = [];
  for (const chunk of chunks(rows, options.open.perLookUp)) {
    try {
      kept.push(...(await lookedAt(chunk, options)).hidden);
    } catch (error) {
      later(error, chunk, options.outcomes);
    }
  }
  return kept;
}

/** What shows is released already: what stands in its draft is somebody's next word, which is neither looked at nor released. */
async function lookedAt(
  chunk: readonly SentRow[],
  { open, shown }: Pick<AsSent, "open" | "shown">,
): Promise<{
  readonly found: Awaited<ReturnType<typeof lookedUp>>;
  readonly hidden: readonly SentRow[];
}> {
  const found = await lookedUp(
    open,
    chunk.map(({ planned }) => planned.task),
  );
  const isThere = ({ planned: { task } }: SentRow): boolean => {
    const there = found.get(task.key) ?? [];
    if (task.action === "delete") return there.every(({ isGone }) => isGone === true);
    return there.some(({ values }) => task.action === "create" || says(values, task.values, open));
  };
  shown(chunk.filter(isThere));
  return { found, hidden: chunk.filter((row) => !isThere(row)) };
}

/** They are where they were, and the next run looks again. */
function later(error: unknown, chunk: readonly SentRow[], outcomes: Outcomes): void {
  const trouble = troubleOf(error);
  if (trouble === undefined) throw error;
  if (trouble.fatal !== undefined) outcomes.fatal ??= trouble;
  outcomes.late += chunk.length;
}
