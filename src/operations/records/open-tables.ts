import { openRows } from "../../engine/records/open-rows.ts";
import { display } from "../../model/display.ts";
import type { Result } from "../../model/result.ts";
import { quotedWord } from "../../model/shell-word.ts";
import type { Migration } from "../migration.ts";
import { plural } from "../result.ts";
import { abandonWord, calledIn, openText } from "./left-behind.ts";
import { plannedTables } from "./tables.ts";

interface OpenTable {
  readonly name: string;
  /** Rows that are open, and of what state. */
  readonly rows: string;
  /** By what `resolve --abandon` knows it. */
  readonly word: string;
}

/** Tables of which runs have left rows open. */
async function openTables(migration: Migration): Promise<readonly OpenTable[]> {
  const logs = (await migration.store.state.rowLogs()).filter(({ isOpen }) => isOpen);
  if (logs.length === 0) return [];
  const planned = new Map(plannedTables(migration).map((one) => [one.table.id, one]));
  const called = await calledIn(migration);
  const found: OpenTable[] = [];
  for (const [id, group] of Map.groupBy(logs, ({ table }) => table)) {
    const open = [...(await openRows(group)).values()];
    if (open.length === 0) continue;
    const named = planned.get(id);
    const was = called.get(id);
    found.push({
      name: named?.table.name ?? was?.name ?? id,
      rows: openText(open),
      word: named === undefined ? abandonWord(was?.kind, id) : `${named.kind.name}:${named.table.name}`,
    });
  }
  return found;
}

/** What is said where no object is in doubt. */
export const nothingInDoubt = "Nothing is in doubt.";

/**
 * What `resolve` says of rows: what was forgotten, and what is open. Which of these a run has asked about is in no file (whether a review
 * is gone only the target tells), so that none of them counts as nothing.
 */
export async function withRows(result: Result, forgotten: number, migration: Migration): Promise<Result> {
  const open = await openTables(migration);
  if (forgotten + open.length === 0) return result;
  const { headline = "", next = [] } = result;
  const isNothing = headline.startsWith(nothingInDoubt);
  const parts = [
    ...(isNothing && open.length > 0 ? ["No object is in doubt."] : []),
    ...(isNothing ? [headline.slice(nothingInDoubt.length).trim()] : [headline]),
    ...(forgotten > 0
      ? [
          `What was open of rows of ${plural(forgotten, "table")} is forgotten; the next run looks at what is published.`,
        ]
      : []),
    ...open.map(({ name, rows }) => `Of "${display(name)}" ${rows}.`),
  ];
  const todos = open.map(
    ({ name, word }) =>
      `Where a run has asked about these rows of "${display(name)}": see to them in the web application of the target (publish or discard what stands in its draft), then: ferry resolve ${migration.plan.name} --abandon ${quotedWord(word)}`,
  );
  return { ...result, headline: parts.filter((part) => part !== "").join(" "), next: [...next, ...todos] };
}
