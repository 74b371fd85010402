import type { OpenTable, Row } from "../../kinds/kind.ts";
import type { PlannedRow } from "./line.ts";
import { lookedUp, says } from "./look-up.ts";
import { grouped } from "./pages.ts";

/** Rows that are there as they were to be; and those that somebody has touched since they were compared. */
export interface Found {
  done(planned: PlannedRow, values: Row["values"] | undefined): Promise<void>;
  touched(planned: PlannedRow): void;
}

/**
 * What an earlier run has compared and this one writes: looked up once more, since a while may lie between. What shows
 * already is done, what is as it was is written, and anything else is left to the next comparison.
 */
export async function* stillMeant(
  rows: AsyncIterable<PlannedRow>,
  open: OpenTable,
  found: Found,
): AsyncGenerator<PlannedRow, void, undefined> {
  for await (const chunk of grouped(rows, open.perLookUp)) yield* await looked(chunk, open, found);
}

async function looked(
  chunk: readonly PlannedRow[],
  open: OpenTable,
  found: Found,
): Promise<readonly PlannedRow[]> {
  const there = await lookedUp(
    open,
    chunk.map(({ task }) => task),
  );
  const meant: PlannedRow[] = [];
  for (const planned of chunk) {
    const [row, ...more] = there.get(planned.task.key) ?? [];
    const state = more.length > 0 ? "touched" : stateOf(planned, row, open);
    if (state === "meant") meant.push(planned);
    else if (state === "done") await found.done(planned, row?.values);
    else found.touched(planned);
  }
  return meant;
}

function stateOf(
  { task }: PlannedRow,
  row: Row | undefined,
  open: Pick<OpenTable, "text">,
): "meant" | "done" | "touched" {
  const { action, values, before = {} } = task;
  const isThere = row !== undefined && row.isGone !== true;
  if (action === "delete") return !isThere ? "done" : says(row.values, before, open) ? "meant" : "touched";
  if (row === undefined) return action === "create" ? "meant" : "touched";
  if (says(row.values, values, open)) return "done";
  return action === "update" && says(row.values, before, open) ? "meant" : "touched";
}
