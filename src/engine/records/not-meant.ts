import type { OpenTable, RowTable } from "../../kinds/kind.ts";
import { keysAtSource, keysReached, lookedUp } from "./look-up.ts";
import type { OpenRow } from "./open-rows.ts";
import { chunks } from "./pages.ts";
import { keyDigest } from "./prints.ts";

/**
 * Deletions that a run has begun, and that the plan of now does not ask for: it removes nothing any more, its filter looks at fewer rows,
 * or the source has the row. One that is done is done. `takesBack`: what a rollback has begun is asked for by nobody's plan.
 */
export async function notMeantToGo(
  rows: ReadonlyMap<string, OpenRow>,
  { removes }: Pick<RowTable, "removes">,
  open: OpenTable,
  takesBack: (row: OpenRow) => boolean,
): Promise<readonly OpenRow[]> {
  const begun = [...rows.values()].filter(
    (row) => row.intent.action === "delete" && row.asks !== true && !takesBack(row),
  );
  if (begun.length === 0) return [];
  const unasked = removes ? await leftByPlan(begun, open) : begun;
  const found: OpenRow[] = [];
  for (const chunk of chunks(unasked, open.perLookUp)) {
    const there = await lookedUp(
      open,
      chunk.map(({ intent }) => intent),
    );
    found.push(...chunk.filter(({ intent }) => there.get(intent.key)?.some((row) => row.isGone !== true)));
  }
  return found;
}

async function leftByPlan(rows: readonly OpenRow[], open: OpenTable): Promise<readonly OpenRow[]> {
  // Of what has no old values nothing tells which row it is.
  const known = rows.flatMap(({ intent: { name, before } }) =>
    before === undefined ? [] : [{ name, key: undefined, values: before }],
  );
  const found = new Set([...(await keysAtSource(open, known))].map(keyDigest));
  const reached = await keysReached(open, known);
  const looksAt = new Set([...(reached ?? [])].map(keyDigest));
  return rows.filter(({ intent: { key } }) => found.has(key) || (reached !== undefined && !looksAt.has(key)));
}
