import type { Diagnostic } from "../model/diagnostic.ts";
import { display } from "../model/display.ts";
import type { MergeConflict, Side } from "../model/mapping-merge.ts";
import { first } from "../model/mapping-merge.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import { plural } from "../model/plural.ts";
import type { MergedFiles, MergeFiles } from "../store/index.ts";
import { mergeMappingFiles } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import { resultOf } from "./result.ts";
import { locked, newRunId } from "./run.ts";

/**
 * Two versions of one mapping file, brought together by rows. `live`: what is written is the mapping that runs use, so
 * none may be going on.
 */
export async function mergeMappings(
  migration: Migration,
  files: MergeFiles,
  options: {
    readonly live: boolean;
    /** The file that is written, as the person called it. */
    readonly shown?: string | undefined;
  },
): Promise<Result> {
  const { parties, tool } = migration;
  const merge = (): Promise<MergedFiles> => mergeMappingFiles(files, { parties, tool });
  const merged = await (options.live ? locked(migration, newRunId(migration.now()), merge) : merge());
  const { kind, conflicts, entries } = merged;
  return resultOf(migration, {
    command: "mappings",
    exitCode: conflicts.length === 0 ? exitCodes.done : exitCodes.failed,
    diagnostics: conflicts.map((conflict) => diagnose(kind, conflict)),
    headline: headline(merged, options.shown),
    ...(conflicts.length === 0 || options.shown === undefined
      ? {}
      : {
          next: [`Take one row of each pair between the marks in ${options.shown}, and take the marks out.`],
        }),
    details: { kind, rows: entries.size, conflicts: conflicts.length },
  });
}

function headline({ kind, conflicts, entries }: MergedFiles, out: string | undefined): string {
  const where = out === undefined ? "nothing was written (--out)" : `written to ${out}`;
  return conflicts.length === 0
    ? `${plural(entries.size, "row")} of ${kind}, without a conflict; ${where}.`
    : `${plural(conflicts.length, "conflict")} in ${kind} for a person to decide; ${where}${out === undefined ? "" : " with both rows of each, which no run takes"}.`;
}

function diagnose(kind: string, conflict: MergeConflict): Diagnostic {
  const { about, ours, theirs } = conflict;
  const source = first(conflict);
  const { name = "" } = (ours ?? theirs)?.entry ?? {};
  return {
    severity: "error",
    code: "merge-conflict",
    coordinate: { kind, urn: source, name },
    summary:
      about === "target"
        ? `two sources claim the target ${display(ours?.entry.target ?? "")}: ${named(ours)} in ours, ${named(theirs)} in theirs`
        : `both changed it: ours ${says(ours, theirs)}, theirs ${says(theirs, ours)}`,
    suggestion: adviceOn(conflict),
  };
}

function adviceOn({ about, ours, theirs }: MergeConflict): string {
  if (about === "target")
    return "One target has one source: keep the row that is right, and let the next diff find the other one's twin.";
  const sides = [ours, theirs].flatMap((side) => (side === undefined ? [] : [side.entry]));
  const areTwo = new Set(sides.map(({ target }) => target)).size > 1;
  // The row that is not kept was all that told of its object: no diff does, and nothing removes it.
  if (areTwo && sides.some(({ origin }) => origin === "created"))
    return "Both may be at the target: look there, keep the row of the one that is used, and remove the other one by hand if a run has created it, since no run knows of it any more.";
  return "Keep the row of the branch that was applied last: it says what is at the target.";
}

function named(side: Side | undefined): string {
  return `"${display(side?.entry.name ?? "")}" (${display(side?.source ?? "")})`;
}

/** What a person can tell the two by. */
function says(side: Side | undefined, other: Side | undefined): string {
  if (side === undefined) return "took it out";
  const { target, origin, run } = side.entry;
  const by = run === undefined ? "" : ` by the run ${display(run)}`;
  const where =
    other !== undefined && other.entry.target === target
      ? "has it as it was left"
      : `maps it to ${display(target)}`;
  return `${where} (${origin}${by})`;
}
