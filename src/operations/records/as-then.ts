import type { OpenRow } from "../../engine/records/open-rows.ts";
import type { RowTable } from "../../kinds/kind.ts";
import type { RowLog } from "../../store/index.ts";
import type { OpenedTable } from "./tables.ts";

/**
 * The table as the plan moved it when rows were begun: what is brought to its end of them is known in that sense, and the comparison
 * translates it. `isTold`: what shows of a row tells a print in that sense; where it does not, nothing is known of the row.
 */
export function asThen(
  opened: OpenedTable,
  sense: string,
): { readonly former: OpenedTable; readonly isTold: boolean } {
  const { open, table } = opened;
  if (open === undefined || sense === table.sense) return { former: opened, isTold: true };
  const reading = table.formerly?.(sense);
  const isOurs = (name: string): boolean => open.isOurs(name) && reading?.isOurs(name) !== false;
  const former = { ...opened, table: { ...table, sense }, open: { ...open, isOurs } };
  return { former, isTold: reading !== undefined };
}

/** Whether what shows of rows tells what became of a change that a plan with this sense has begun. */
export function isToldIn({ sense, formerly }: Pick<RowTable, "sense" | "formerly">, then: string): boolean {
  return then === sense || formerly?.(then) !== undefined;
}

/** Of what prints of a log's rows are, by its run, where that was written down. */
export async function sensesOf(logs: readonly RowLog[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const log of logs) {
    const sense = await senseIn(log);
    if (sense !== undefined) found.set(log.run, sense);
  }
  return found;
}

async function senseIn({ records }: Pick<RowLog, "records">): Promise<string | undefined> {
  for await (const record of records())
    if (record.type === "rows" && record.sense !== undefined) return record.sense;
  return undefined;
}

/** Rows by the sense of their prints; `otherwise` that of those of which it was not written down. */
export function bySense(
  rows: Iterable<OpenRow>,
  senses: ReadonlyMap<string, string>,
  otherwise: string,
): ReadonlyMap<string, readonly OpenRow[]> {
  return Map.groupBy(rows, ({ run }) => senses.get(run) ?? otherwise);
}
