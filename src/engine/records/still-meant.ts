import type { OpenTable, Row } from "../../kinds/kind.ts";
import type { EndedRows } from "./ended-rows.ts";
import { asKept } from "../../model/value-form.ts";
import type { PlannedRow } from "./line.ts";
import { asItWas, isAsBefore, isMadeAnew, isOfOurs, lookedUpToGo, says } from "./look-up.ts";
import { ahead, grouped } from "./pages.ts";
import { isOfWhole, printOf } from "./prints.ts";

/** So many look-ups are on their way at once; what they show is written soon. */
const looksAhead = 3;

/** Rows that are there as they were to be; and those that somebody has touched since they were compared. */
export interface Found {
  done(planned: PlannedRow, values: Row["values"] | undefined): Promise<void>;
  touched(planned: PlannedRow): void;
  /** Others lead to it there. */
  held(planned: PlannedRow, by: string): void;
}

/**
 * What an earlier run has compared and this one writes: looked up once more, since a while may lie between. What shows
 * already is done, what is as it was is written, and anything else is left to the next comparison. `isPart`: the rest of each was written
 * before, and may show in the service's own form. `shown`: how it shows what was written before the run was killed, by key.
 * `ended`: what was brought to its end before; where that does not show any more, somebody has taken it back.
 */
export async function* stillMeant(
  rows: AsyncIterable<readonly PlannedRow[]>,
  open: OpenTable,
  found: Found,
  how: Meant = {},
): AsyncGenerator<readonly PlannedRow[], void, undefined> {
  const look = async (chunk: readonly PlannedRow[]): Promise<readonly PlannedRow[]> =>
    looked(chunk, open, found, how);
  yield* ahead(grouped(rows, open.perLookUp), looksAhead, look);
}

interface Meant {
  readonly isPart?: boolean;
  readonly shown?: ReadonlyMap<string, string> | undefined;
  readonly ended?: Pick<EndedRows, "has" | "hasPart"> | undefined;
}

async function looked(
  chunk: readonly PlannedRow[],
  open: OpenTable,
  found: Found,
  { isPart = false, shown, ended }: Meant,
): Promise<readonly PlannedRow[]> {
  const { there, led } = await lookedUpToGo(
    chunk.map(({ task }) => task),
    open,
  );
  const meant: PlannedRow[] = [];
  for (const planned of chunk) {
    const [row, ...more] = there.get(planned.task.key) ?? [];
    // What an interrupted run had begun, and this one has brought to its end, may show in a form of the service's own.
    const mayBeKept = row !== undefined && ended?.hasPart(planned) === true;
    const kept = mayBeKept ? inForm(planned, row, open) : planned;
    const print = shown?.get(planned.task.key);
    const isAsShown =
      print !== undefined &&
      row !== undefined &&
      isOfWhole(row.values, open) &&
      printOf(row.values, open) === print;
    const state =
      more.length > 0 ? "touched" : isAsShown ? "done" : stateOf(isPart ? partOf(kept) : kept, row, open);
    // Of what was written in part each value is as it was sent, or as it was. Of several of its key nobody says which one that is.
    const isBegun =
      state === "touched" && row !== undefined && more.length === 0 && ended?.hasPart(planned) === true;
    const by = planned.task.action === "delete" ? led.get(row?.address ?? "") : undefined;
    const isTheirs = isMadeAnew(planned.task, row === undefined ? [] : [row]) || ended?.has(planned) === true;
    if (state === "meant" && isTheirs) found.touched(planned);
    else if (state === "meant" && by !== undefined) found.held(planned, by);
    else if (state === "meant") meant.push(withAside(planned, row));
    else if (isBegun && isOurs(kept, row, open))
      meant.push({ ...withAside(planned, row), partAt: row.address ?? "" });
    else if (state === "done") await found.done(kept, row?.values);
    else found.touched(planned);
  }
  return meant;
}

function inForm({ task, ...planned }: PlannedRow, { values }: Row, open: OpenTable): PlannedRow {
  return { ...planned, task: { ...task, values: asKept(task, values, open) } };
}

function withAside(planned: PlannedRow, row: Row | undefined): PlannedRow {
  const aside = planned.task.action === "update" ? row?.unmoved?.() : undefined;
  return aside === undefined ? planned : { ...planned, aside };
}

function isOurs({ task }: PlannedRow, { values }: Row, open: OpenTable): boolean {
  return isOfOurs(values, task.values, task.before ?? open.asMade ?? {}, open);
}

/** Of a row that is written in parts: the values of this one, and what they were. */
function partOf({ task, ...planned }: PlannedRow): PlannedRow {
  return { ...planned, task: { ...task, before: asItWas(task.values, task.before ?? {}) } };
}

function stateOf(
  { task }: PlannedRow,
  row: Row | undefined,
  open: Pick<OpenTable, "text">,
): "meant" | "done" | "touched" {
  const { action, values, before = {} } = task;
  const isThere = row !== undefined && row.isGone !== true;
  // What somebody has added to a row goes with it when it is deleted.
  if (action === "delete") return !isThere ? "done" : isAsBefore(row, task, open) ? "meant" : "touched";
  if (row === undefined) return action === "create" ? "meant" : "touched";
  // It is there and does not count: a create by its address makes it count again.
  if (!isThere && action === "create" && task.address !== undefined) return "meant";
  if (says(row.values, values, open)) return "done";
  return action === "update" && says(row.values, before, open) ? "meant" : "touched";
}
