import type { OpenTable, Row, RowTask, SentAfter, TableWriter } from "../../kinds/kind.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import { asItWas, isElsewhere, lookedUp, says, saysKept } from "./look-up.ts";
import { chunks } from "./pages.ts";
import type { TableLog } from "./log.ts";
import type { SentRow } from "./releases.ts";
import type { Outcomes } from "./written.ts";

const draftIsTheirs =
  "somebody has changed its draft at the target since it was sent: publish the draft, or discard it, in the web application";

const draftIsGone =
  "the draft of it that was made at the target is not there any more, and it does not show: somebody has discarded or removed it, or put it up for a review";

export const keyIsTaken =
  "a row of its key that is not known to be this one shows at the target by now, so nothing of it was published: if a draft of it stands there, discard that in the web application";

const reviewIsLost =
  "it is in a review that nobody can name, since the answer that named it was lost, or somebody has discarded its draft: approve or reject that review in the web application, and run again";

interface AsSent {
  readonly writer: TableWriter;
  readonly open: OpenTable;
  readonly outcomes: Outcomes;
  readonly log: Pick<TableLog, "outcome">;
  readonly after: SentAfter;
  /** What was changed is not there any more, or another row stands in its place: nothing that is released would ever show. */
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
      const { found, hidden, taken } = await lookedAt(chunk, options);
      await askedOf(taken, keyIsTaken, options);
      const tasks = new Map(hidden.map((row) => [row, asItStands(row)]));
      const strayed = await writer.strayed([...tasks.values()], after);
      const howOf = (row: SentRow): "changed" | "gone" | "hidden" | undefined =>
        strayed.get(tasks.get(row) ?? row.planned.task);
      const asSent = hidden.flatMap((row): SentRow | readonly SentRow[] => {
        const how = howOf(row);
        return how === undefined ? row : how === "hidden" ? { ...row, isHidden: true } : [];
      });
      const isRemoved = ({ planned: { task }, address }: SentRow): boolean => {
        const there = found.get(task.key) ?? [];
        return task.action === "update" && (there.length === 0 || isElsewhere(there, address));
      };
      await removed(asSent.filter(isRemoved));
      kept.push(...asSent.filter((row) => !isRemoved(row)));
      for (const [how, rows] of Map.groupBy(hidden, howOf))
        if (how === "changed" || how === "gone")
          await askedOf(rows, how === "changed" ? draftIsTheirs : gone, options);
    } catch (error) {
      later(error, chunk, outcomes);
    }
  }
  return kept;
}

/** What the draft has of it where nobody else has been. */
function asItStands({ planned: { task }, asBefore }: SentRow): RowTask {
  return asBefore === true ? { ...task, values: asItWas(task.values, task.before ?? {}) } : task;
}

/** A person has to decide about what was sent: on record, so that whoever only reads the files says the same. */
export async function askedOf(
  rows: readonly Pick<SentRow, "planned" | "address" | "op">[],
  reason: string,
  { log, outcomes }: Pick<AsSent, "log" | "outcomes">,
): Promise<void> {
  for (const [op, group] of Map.groupBy(rows, (row) => row.op))
    await log.outcome(
      op,
      group.map(({ planned, address }) => {
        return { key: planned.task.key, result: "sent", target: address, told: true, reason };
      }),
    );
  for (const { planned } of rows) outcomes.ask(planned.task, reason);
}

/** Those that do not show. What the service keeps as it was before shows as well as it ever will. */
export async function notShown(
  rows: readonly SentRow[],
  options: Pick<AsSent, "writer" | "open" | "outcomes" | "shown">,
): Promise<readonly SentRow[]> {
  const kept: SentRow[] = [];
  for (const chunk of chunks(rows, options.open.perLookUp)) {
    try {
      const { found, hidden, taken } = await lookedAt(chunk, options);
      const isAsEver = (row: SentRow): boolean => {
        const { key, values } = asItStands(row);
        const there = found.get(key) ?? [];
        return row.asBefore === true && there.some((one) => says(one.values, values, options.open));
      };
      options.shown(hidden.filter(isAsEver));
      kept.push(...hidden.filter((row) => !isAsEver(row)), ...taken);
    } catch (error) {
      later(error, chunk, options.outcomes);
    }
  }
  return kept;
}

/**
 * What shows is released already: what stands in its draft is somebody's next word, which is neither looked at nor released. `taken`:
 * what shows under the key of something that was made is another row, which a colleague or another plan has made since.
 */
async function lookedAt(
  chunk: readonly SentRow[],
  { writer, open, shown }: Pick<AsSent, "writer" | "open" | "shown">,
): Promise<{
  readonly found: Awaited<ReturnType<typeof lookedUp>>;
  readonly hidden: readonly SentRow[];
  readonly taken: readonly SentRow[];
}> {
  const found = await lookedUp(
    open,
    chunk.map(({ planned }) => planned.task),
  );
  const thereOf = ({ planned: { task } }: SentRow): readonly Row[] => found.get(task.key) ?? [];
  const isThere = (row: SentRow): boolean => {
    const [{ task }, there] = [row.planned, thereOf(row)];
    if (task.action === "delete") return there.every(({ isGone }) => isGone === true);
    return there.some(({ values }) => task.action === "create" || saysKept(values, task, open));
  };
  // A service may call what is published otherwise than the draft of it.
  const elsewhere = chunk.filter(
    (row) => row.planned.task.action === "create" && isElsewhere(thereOf(row), row.address),
  );
  const drafts = elsewhere.map(({ planned }) => planned.task);
  const unpublished = drafts.length === 0 ? undefined : await writer.unpublished?.(drafts);
  const taken = new Set(
    elsewhere.filter((row) => {
      const { task } = row.planned;
      const isAlike = thereOf(row).some(({ values }) => saysKept(values, task, open));
      return unpublished?.has(task) === true || !isAlike;
    }),
  );
  const rest = chunk.filter((row) => !taken.has(row));
  shown(rest.filter(isThere));
  return { found, hidden: rest.filter((row) => !isThere(row)), taken: [...taken] };
}

/** They are where they were, and the next run looks again. */
function later(error: unknown, chunk: readonly SentRow[], outcomes: Outcomes): void {
  const trouble = troubleOf(error);
  if (trouble === undefined) throw error;
  if (trouble.fatal !== undefined) outcomes.fatal ??= trouble;
  outcomes.late += chunk.length;
}
