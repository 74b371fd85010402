import type { Loser, Meant, OpenTable, Row } from "../../kinds/kind.ts";
import { fromEntries } from "../../model/json.ts";
import type { KnownRows } from "../../store/index.ts";
import type { CompareInput } from "./compare-input.ts";
import type { RowLine } from "./line.ts";
import { says } from "./look-up.ts";
import { chunks } from "./pages.ts";
import { keyDigest, printOf } from "./prints.ts";

interface Known extends Pick<CompareInput, "open"> {
  readonly known: Pick<KnownRows, "get"> | undefined;
}

/** A row that was compared, on both sides. */
export interface Compared {
  readonly line: RowLine;
  readonly row: Row;
  readonly there: Row | undefined;
}

/**
 * What rows that would be written take away from others at the target, in order. What a run has given to those goes as the source says;
 * what somebody else has is told.
 */
export async function takenBy(
  rows: readonly Compared[],
  { open, known }: Known,
): Promise<readonly RowLine[]> {
  const lines = rows.map(({ line }) => line);
  if (open.losers === undefined) return lines;
  const at = rows.flatMap(({ line }, index) => (isWritten(line) ? [index] : []));
  const meant = at.flatMap((index) => meantIn(rows[index]));
  if (meant.length === 0) return lines;
  const losers = await open.losers(meant);
  const others = await ofOthers(losers.flat(), { open, known });
  for (const [place, index] of at.entries()) {
    const line = lines[index];
    const takes = (losers[place] ?? []).filter((loser) => others.has(loser)).map(({ what }) => what);
    if (line !== undefined && takes.length > 0) lines[index] = { ...line, takes };
  }
  return lines;
}

function isWritten({ action }: RowLine): boolean {
  return action === "create" || action === "update";
}

function meantIn(compared: Compared | undefined): readonly Meant[] {
  if (compared === undefined) return [];
  const { line, row, there } = compared;
  // What stands there already is taken from nobody.
  const given = (line.fields ?? []).filter(({ from, to }) => from !== to).map(({ name }) => name);
  return [{ given, values: row.values, there }];
}

/** Of these the ones that have it still, and by somebody else's word. */
async function ofOthers(losers: readonly Loser[], { open, known }: Known): Promise<ReadonlySet<Loser>> {
  const others = new Set<Loser>();
  // One row may lose several.
  const byRow = [...Map.groupBy(losers, ({ values }) => JSON.stringify(values)).values()];
  for (const chunk of chunks(byRow, open.perLookUp)) {
    const found = await open.lookUp(
      chunk.map((group) => ({
        values: fromEntries(group.flatMap(({ values, loses }) => [...Object.entries(values), [loses, true]])),
      })),
    );
    for (const loser of chunk.flat())
      if (found.some((row) => has(row, loser, open) && !(loser.isMade ?? isBrought(row, loser, open, known))))
        others.add(loser);
  }
  return others;
}

function has({ values }: Row, { values: wanted, loses }: Loser, open: OpenTable): boolean {
  return Object.hasOwn(values, loses) && says(values, wanted, open);
}

/** It is as the last run left it, and that had it. */
function isBrought(row: Row, { loses }: Loser, open: OpenTable, known: Known["known"]): boolean {
  const was = row.key === undefined ? undefined : known?.get(keyDigest(row.key));
  if (was === undefined) return false;
  return [row.values, ...(row.aside ?? [])].some(
    (values) => Object.hasOwn(values, loses) && printOf(values, open) === was.target,
  );
}
