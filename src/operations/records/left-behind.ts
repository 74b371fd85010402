import type { OpenRow } from "../../engine/records/open-rows.ts";
import { openRows } from "../../engine/records/open-rows.ts";
import { display } from "../../model/display.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { TableRecord } from "../../model/journal.ts";
import { once } from "../../model/once.ts";
import { shellWord } from "../../model/shell-word.ts";
import { someOf } from "../../model/some-of.ts";
import { plural } from "../../model/plural.ts";
import type { Migration } from "../migration.ts";
import { goingOn } from "../ending.ts";
import { rollbacksOf, takesBack } from "./rollbacks.ts";
import { isSelected, plannedTables } from "./tables.ts";

/** A table that a run has left rows of, and that no apply of the plan as it is goes on with. */
export interface LeftBehind {
  readonly id: string;
  readonly name: string;
  readonly kind?: string;
  /** Rows that are open, and of what state: `wait for the review ...` of those that wait for one. */
  readonly rows: string;
  readonly why: string;
  readonly todo: string;
}

/**
 * What runs have begun of tables that the plan does not name any more, or does not select: nobody else would tell of it. What waits for
 * a review is published by nobody once it is approved. What an interrupted rollback has left goes on by that rollback (`goesOn`), which
 * asks for no selection: an apply would bring the source's word again.
 */
export async function leftBehind(
  migration: Migration,
  goesOn = goingOn(migration.plan.name, "apply", undefined),
): Promise<readonly LeftBehind[]> {
  const logs = (await migration.store.state.rowLogs()).filter(({ isOpen }) => isOpen);
  if (logs.length === 0) return [];
  const planned = new Map(plannedTables(migration).map((one) => [one.table.id, one]));
  // Nearly always all of them are selected, and nobody has to be asked what they were called.
  const called = once(async () => calledIn(migration));
  const plan = migration.plan.name;
  const rollbacks = await rollbacksOf(migration);
  const found: LeftBehind[] = [];
  for (const [id, group] of Map.groupBy(logs, ({ table }) => table)) {
    const named = planned.get(id);
    if (named !== undefined && isSelected(migration, named)) continue;
    const open = [...(await openRows(group)).values()];
    if (open.length === 0) continue;
    const rows = openText(open);
    const was = named === undefined ? (await called()).get(id) : undefined;
    const kind = named?.kind.name ?? was?.kind;
    const isBack = goesOn.startsWith(`ferry rollback `) && open.every((row) => takesBack(row, rollbacks));
    const again = isBack ? goesOn : goingOn(plan, "apply", undefined);
    const common = { id, rows, ...(kind === undefined ? {} : { kind }) };
    found.push(
      named === undefined
        ? {
            ...common,
            name: was?.name ?? id,
            why: "this plan does not name that table",
            todo: `Put it back under records in the plan as it was, and run again: ${again}. Or see to the rows in the web application (publish or discard them, decide their reviews), then forget them: ferry resolve ${plan} --abandon ${shellWord(abandonWord(kind, id))}`,
          }
        : {
            ...common,
            name: named.table.name,
            why: "that table is not selected",
            todo: isBack
              ? `Run: ${again}`
              : `Select it (select in the plan, or without the flags that leave it out), and run again: ${again}`,
          },
    );
  }
  return found;
}

/** Reviews that are named; of the others the rows are counted. */
const mostNamed = 5;

/** `2 rows that a run has begun are open`, `3 rows wait for the review "..." (urn)`. */
function openText(rows: readonly OpenRow[]): string {
  const [held, begun] = [true, false].map((isHeld) =>
    rows.filter(({ state }) => (state === "held") === isHeld),
  );
  const reviews = [
    ...new Set((held ?? []).map(({ review }) => `"${review?.name ?? ""}" (${review?.urn ?? ""})`)),
  ];
  const count = begun?.length ?? 0;
  const waiting = held?.length ?? 0;
  return [
    ...(count === 0
      ? []
      : [`${plural(count, "row")} that a run has begun ${count === 1 ? "is" : "are"} open`]),
    ...(waiting === 0
      ? []
      : [
          `${plural(waiting, "row")} ${waiting === 1 ? "waits" : "wait"} for ${plural(reviews.length, "review")}: ${someOf(reviews.map(display), mostNamed)}`,
        ]),
  ].join(" and ");
}

/** What tables were called by the runs on record that wrote them; by their id. */
export async function calledIn({ store: { state } }: Migration): Promise<ReadonlyMap<string, TableRecord>> {
  const found = new Map<string, TableRecord>();
  const archives = await state.archives();
  for (const records of [...archives.map(({ records }) => records), () => state.readJournal()])
    for await (const record of records()) if (record.type === "table") found.set(record.table, record);
  return found;
}

/** By what `resolve --abandon` knows a table, also where the plan does not name it. */
export function abandonWord(kind: string | undefined, id: string): string {
  return `${kind ?? "records"}:${id}`;
}

/** Until a person has done something about them, nothing but these words tells of the rows. */
export function leftBehindNotes(left: readonly LeftBehind[]): readonly Diagnostic[] {
  return left.map(({ id, name, kind, rows, why, todo }) => ({
    severity: "warning",
    code: "row-left-behind",
    ...(kind === undefined ? {} : { coordinate: { kind, urn: id, name } }),
    summary: `of "${display(name)}" ${rows}, and ${why}: nothing goes on with them`,
    suggestion: todo,
  }));
}
