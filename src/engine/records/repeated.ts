import { text } from "../../model/json.ts";
import type { SortedPrints } from "../../store/index.ts";
import type { CompareInput } from "./compare-input.ts";
import { lineOf } from "./line.ts";
import { keyDigest } from "./prints.ts";
import { EngineError } from "../progress.ts";
import { TableTally } from "./tally.ts";
import type { TableDiff } from "./tally.ts";

/** So many keys that occur twice are no mistakes in rows, but a key that is none. */
const most = 100_000;

/** How often a key occurs that occurs more than once. */
export function repeatedKeys(sorted: SortedPrints): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let last = "";
  for (const { key } of sorted) {
    if (key === last) found.set(key, (found.get(key) ?? 1) + 1);
    last = key;
    if (found.size <= most) continue;
    throw new EngineError(
      "incomplete",
      `more than ${most} keys occur several times at the source`,
      "Name attributes as key that tell rows apart, under records in the plan.",
    );
  }
  return found;
}

/**
 * A key says which row is which: rows that share one are blocked, all of them. They are known when all have been read,
 * so the source is read once more to name them; that is the price of a mistake in it.
 */
export async function blockRepeated(
  input: CompareInput,
  diff: TableDiff,
  repeated: ReadonlyMap<string, number>,
): Promise<TableDiff> {
  const { work, table, open } = input;
  const tally = new TableTally(await work.writeRows(table.id), open);
  try {
    let kept = 0;
    for await (const rows of work.readRows(table.id)) {
      for (const json of rows) {
        const key = text(json, "key");
        if (key !== undefined && repeated.has(key)) continue;
        kept += 1;
        await tally.add(lineOf(json));
      }
    }
    let named = 0;
    for await (const { rows } of open.rows()) {
      for (const { key, name } of rows) {
        const print = key === undefined ? undefined : keyDigest(key);
        const times = print === undefined ? undefined : repeated.get(print);
        if (print === undefined || times === undefined) continue;
        named += 1;
        await tally.add({
          action: "blocked",
          name,
          key: print,
          reason: `its key occurs ${times} times at the source`,
        });
      }
    }
    await tally.finish();
    const told = tally.diff();
    const inFile = kept + named;
    const { staying, blameless, moved, movedGone } = diff;
    const unchanged = Math.max(0, diff.rows + diff.counts.delete + staying - inFile);
    return {
      ...told,
      rows: diff.rows,
      counts: { ...told.counts, unchanged },
      gone: diff.gone,
      staying,
      blameless,
      moved,
      movedGone,
      // Of what is as it should be nothing stands in the file.
      firstContact: Math.max(told.firstContact, diff.firstContact - named),
    };
  } finally {
    await tally.abandon();
  }
}
