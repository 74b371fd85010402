import type { RowLog, Store } from "../../store/index.ts";
import type { OpenedTable } from "./tables.ts";

/**
 * The table as the plan moved it when these logs were written, where it moves more by now: what they have brought to its end is known in
 * that sense, beside all that was known before, and the comparison translates it.
 */
export async function asThen(
  state: Pick<Store["state"], "knownRows">,
  opened: OpenedTable,
  logs: readonly RowLog[],
): Promise<OpenedTable> {
  const { open, table } = opened;
  const [sense, ...more] = new Set((await Promise.all(logs.map(senseIn))).filter((one) => one !== undefined));
  if (open === undefined || sense === undefined || sense === table.sense || more.length > 0) return opened;
  const reading = table.formerly?.(sense);
  // Known in the sense of today is more than what these logs say.
  if (reading === undefined || !(await isKnownIn(state, table.id, sense))) return opened;
  const isOurs = (name: string): boolean => open.isOurs(name) && reading.isOurs(name);
  return { ...opened, table: { ...table, sense }, open: { ...open, isOurs } };
}

/** Of what prints of a log's rows are, where that was written down. */
export async function senseIn({ records }: Pick<RowLog, "records">): Promise<string | undefined> {
  for await (const record of records())
    if (record.type === "rows" && record.sense !== undefined) return record.sense;
  return undefined;
}

/** Whoever kept something in another sense would have all of it forgotten. */
export async function isKnownIn(
  state: Pick<Store["state"], "knownRows">,
  table: string,
  sense: string,
): Promise<boolean> {
  const found = await state.knownRows(table);
  found?.close();
  return found === undefined || found.sense === sense;
}
