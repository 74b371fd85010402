import type { OpenTable, Row } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { own } from "../../model/json.ts";
import type { PlannedRow } from "./line.ts";
import { keyDigest } from "./prints.ts";

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
  let waiting: PlannedRow[] = [];
  const meant = async (): Promise<readonly PlannedRow[]> => {
    const chunk = waiting;
    waiting = [];
    return looked(chunk, open, found);
  };
  for await (const row of rows) {
    waiting.push(row);
    if (waiting.length === open.perLookUp) yield* await meant();
  }
  if (waiting.length > 0) yield* await meant();
}

async function looked(
  chunk: readonly PlannedRow[],
  open: OpenTable,
  found: Found,
): Promise<readonly PlannedRow[]> {
  const wanted = chunk.map(({ task }) => ({ values: { ...task.before, ...task.values } }));
  const there = Map.groupBy(await open.lookUp(wanted), ({ key }) =>
    key === undefined ? "" : keyDigest(key),
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
  if (action === "delete") return !isThere ? "done" : says(row, before, open) ? "meant" : "touched";
  if (row === undefined) return action === "create" ? "meant" : "touched";
  if (says(row, values, open)) return "done";
  return action === "update" && says(row, before, open) ? "meant" : "touched";
}

function says({ values: there }: Row, values: JsonObject, { text }: Pick<OpenTable, "text">): boolean {
  return Object.entries(values).every(
    ([name, value]) => text(name, own(there, name) ?? null) === text(name, value),
  );
}
