import type { PlannedRow } from "../../engine/records/line.ts";
import { plannedOf, withoutRest } from "../../engine/records/line.ts";
import type { JsonObject } from "../../model/json.ts";
import { split } from "./work-parts.ts";

/** Which of the rows that were compared: `kept` is all but those that go, `later` what waits until everything else is there. */
export type RowPart = "all" | "kept" | "deletions" | "later";

/** In the order of the table's file, some at a time. */
export type PlannedPages = AsyncIterable<readonly PlannedRow[]>;

interface Wanted {
  readonly part: RowPart;
  /** The line to begin with. */
  readonly from: number;
  /** What is open of it is told, and nothing is sent again. */
  readonly isOpen: (key: string) => boolean;
  /** Of this a part was refused, which is not at the target. */
  readonly isShort: (key: string) => boolean;
  /** Of attributes that wait; undefined where none does. */
  readonly isLater: ((attribute: string) => boolean) | undefined;
  /** Nothing of one more row is written before the rest is there. */
  readonly waits: () => void;
}

/** What of a comparison is to be written now. */
export async function* plannedRows(
  pages: AsyncIterable<readonly JsonObject[]>,
  { part, from, isOpen, isShort, isLater, waits }: Wanted,
): AsyncGenerator<readonly PlannedRow[], void, undefined> {
  let at = -1;
  for await (const lines of pages) {
    const rows: PlannedRow[] = [];
    for (const line of lines) {
      at += 1;
      if (at < from) continue;
      const whole = plannedOf(line, at);
      if (whole === undefined || !isWanted(whole, part) || isOpen(whole.task.key)) continue;
      const [now, later] = isLater === undefined ? [whole, undefined] : split(whole, isLater);
      if (part === "later") {
        if (later !== undefined) rows.push(isShort(whole.task.key) ? withoutRest(later) : later);
      } else if (now === undefined) waits();
      else rows.push(now);
    }
    if (rows.length > 0) yield rows;
  }
}

function isWanted({ task: { action } }: PlannedRow, part: RowPart): boolean {
  return part === "all" || (action === "delete") === (part === "deletions");
}
