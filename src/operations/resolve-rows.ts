import type { Diagnostic } from "../model/diagnostic.ts";
import type { ExitCode, Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { shellWord } from "../model/shell-word.ts";
import { plural } from "../model/plural.ts";
import { codeOfDoubts } from "./doubts.ts";
import type { Migration } from "./migration.ts";
import { leftBehind, leftBehindNotes } from "./records/left-behind.ts";
import { leftOf } from "./records/left-rows.ts";
import type { TableStanding } from "./records/standing.ts";
import { isAsked, leaveFor, openRowsText, tablesStanding } from "./records/standing.ts";
import { seenTo, seenToNow } from "./records/still-open.ts";
import type { SelectedTable } from "./records/tables.ts";
import { plannedTables } from "./records/tables.ts";

/** Said where no operation on an object is open. */
export const nothingInDoubt = "Nothing is in doubt.";

/** Rows of a table that are told one by one. */
const mostTold = 20;

/**
 * The result with rows that are in doubt: they stand in logs of their own, and a run that ends with a question about one names this
 * command. `again`: the one that goes on with what is open; `forgotten`: of so many tables.
 */
export async function withRows(
  migration: Migration,
  result: Result,
  { again, forgotten }: { readonly again: string; readonly forgotten: number },
): Promise<Result> {
  const standing = await tablesStanding(migration, again);
  const open = standing.filter(({ sent, inDoubt }) => sent + inDoubt > 0);
  if (open.length + forgotten === 0) return result;
  const { headline = "", next = [] } = result;
  const isNothing = headline.startsWith(nothingInDoubt);
  const rest = isNothing ? headline.slice(nothingInDoubt.length).trim() : headline;
  const forgot = `What was open of rows of ${plural(forgotten, "table")} is forgotten; the next run looks at what is published.`;
  const doubts = open.length === 0 ? undefined : await doubtsIn(migration, open, again);
  const said = [
    ...(isNothing && open.length > 0 ? ["No object is in doubt."] : []),
    rest,
    ...(forgotten > 0 ? [forgot] : []),
    ...(doubts === undefined ? [] : [doubts.said]),
  ];
  const { code = exitCodes.done, diagnostics = [], steps = [] } = doubts ?? {};
  return {
    ...result,
    exitCode: code > result.exitCode ? code : result.exitCode,
    diagnostics: [...result.diagnostics, ...diagnostics],
    headline: said.filter((part) => part !== "").join(" "),
    next: isNothing && steps.length > 0 ? steps : [...new Set([...next, ...steps])],
  };
}

interface Doubts {
  readonly code: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  readonly said: string;
  readonly steps: readonly string[];
}

async function doubtsIn(
  migration: Migration,
  open: readonly TableStanding[],
  again: string,
): Promise<Doubts> {
  const behind = await leftBehind(migration, again);
  const isBehind = new Set(behind.map(({ id }) => id));
  const tables = plannedTables(migration).filter(({ table }) => !isBehind.has(table.id));
  const told = await Promise.all(tables.map(async (one) => inDoubt(migration, one)));
  const goingOn = open.filter(({ todo }) => todo === undefined);
  const asked = goingOn.reduce((sum, one) => sum + (one.asked ?? 0), 0);
  const all = goingOn.reduce((sum, { sent, inDoubt: lost }) => sum + sent + lost, 0);
  const isAgain = goingOn.some(({ sent }) => sent > 0) || told.some((one) => one.isAgain);
  return {
    code: codeOfDoubts({ all, asked }) ?? exitCodes.partial,
    diagnostics: [...told.flatMap(({ diagnostics }) => diagnostics), ...leftBehindNotes(behind)],
    said: `Of rows: ${openRowsText(open)}.${leaveFor(goingOn)}`,
    steps: [...(isAgain ? [again] : []), ...told.flatMap(({ steps }) => steps)],
  };
}

/** Why rows of a table are in doubt, and what a person does about them; `isAgain`: a run looks at some of them. */
async function inDoubt(
  migration: Migration,
  { kind, table }: SelectedTable,
): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  readonly steps: readonly string[];
  readonly isAgain: boolean;
}> {
  const word = `${kind.name}:${table.name}`;
  const open = [...(await leftOf(migration, table.id)).values()];
  const rows = open.filter((row) => row.state === "doubt" || isAsked(row));
  return {
    diagnostics: rows.slice(0, mostTold).map((row) => ({
      severity: isAsked(row) ? "error" : "warning",
      code: "row-in-doubt",
      coordinate: { kind: kind.name, urn: table.id, name: table.name },
      summary: `the row ${row.intent.name}: ${row.reason ?? ""}`,
      suggestion: isAsked(row) ? seenToNow(word) : seenTo("PLAN", word),
    })),
    steps: open.some(isAsked) ? [`ferry resolve ${migration.plan.name} --abandon ${shellWord(word)}`] : [],
    isAgain: rows.some(({ asks }) => asks !== true),
  };
}
