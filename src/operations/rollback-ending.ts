import type { Carried } from "../engine/apply/index.ts";
import type { AppliedChange, Outcome } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { plural } from "../model/plural.ts";
import type { Archive } from "../store/index.ts";
import { exitCodeOf } from "./ending.ts";
import type { Migration } from "./migration.ts";
import { doneOf, resultOf, sizeOf } from "./result.ts";
import type { Undone } from "./rollback-deeds.ts";
import { describeRun, runBefore, runDetails } from "./rollback-deeds.ts";

/** What a rollback came to. */
export function endOf(
  migration: Migration,
  undone: Undone,
  changes: readonly AppliedChange[],
  carried: Carried,
  {
    diagnostics,
    allowDelete,
  }: { readonly diagnostics: readonly Diagnostic[]; readonly allowDelete: boolean },
): Result {
  const count = (outcome: Outcome): number => changes.filter((change) => change.outcome === outcome).length;
  const done = doneOf(changes);
  // Of rows a table is one change, whatever of it was withheld.
  const rows = allowDelete ? 0 : changes.reduce((sum, { records }) => sum + (records?.delete ?? 0), 0);
  const kept =
    rows + changes.filter(({ outcome, records }) => outcome === "withheld" && records === undefined).length;
  const left = sizeOf(changes) - done;
  const inDoubt = count("in-doubt");
  const interrupted = migration.stop.aborted && count("begun") + count("not-started") + inDoubt > 0;
  // Whatever is left as it is makes it a rollback in part.
  const exitCode = exitCodeOf(
    { fatal: carried.fatal, interrupted, changes: [] },
    { all: inDoubt, asked: carried.asked },
    true,
    left > 0 || count("failed") > 0,
  );
  const why =
    kept === 0
      ? ""
      : ` ${plural(kept, "delete")} withheld: ${kept === 1 ? "it needs" : "they need"} --allow-delete.`;
  const { fatal } = carried;
  const isStopped = fatal?.fatal === "stopped";
  const goesOn = exitCode === exitCodes.interrupted && migration.stop.aborted;
  const cut = isStopped || goesOn ? ` It was interrupted${goesOn ? ": run again to continue" : ""}.` : "";
  const stopped = fatal === undefined || isStopped ? cut : ` Stopped: ${fatal.reason}`;
  const deletes = changes.some(
    ({ action, outcome, records }) =>
      outcome !== "done" && (records === undefined ? action === "delete" : records.delete > 0),
  );
  const again = `ferry rollback ${migration.plan.name} --run ${undone.run}${deletes ? " --allow-delete" : ""}`;
  const isOpen = kept > 0 || carried.fatal !== undefined || exitCode === exitCodes.interrupted;
  return resultOf(migration, {
    command: "rollback",
    exitCode,
    changes,
    diagnostics: [...diagnostics, ...carried.diagnostics],
    headline: `${describeRun(undone)}: ${plural(done, "object")} taken back, ${left} left.${why}${stopped}`,
    next: [
      ...(exitCode === exitCodes.inDoubt ? [`ferry resolve ${migration.plan.name}`] : []),
      ...(isOpen ? [again] : []),
      `ferry diff ${migration.plan.name}`,
    ],
    details: { run: runDetails(undone) },
  });
}

/** The run was taken back already. The one before it is named, and never taken back for being next. */
export async function nothingLeft(
  migration: Migration,
  undone: Undone,
  wanted: string | undefined,
  current: readonly Archive[],
): Promise<Result> {
  const earlier = wanted === undefined ? await runBefore(migration, undone, current) : undefined;
  const which =
    wanted === undefined && undone.later === undefined ? " It is the last run that wrote something." : "";
  return resultOf(migration, {
    command: "rollback",
    exitCode: exitCodes.done,
    headline: `${describeRun(undone)}: 0 objects taken back, 0 left: nothing is left of it.${which}`,
    next: earlier === undefined ? [] : [`ferry rollback ${migration.plan.name} --run ${earlier} --dry-run`],
    details: { run: runDetails(undone) },
  });
}
