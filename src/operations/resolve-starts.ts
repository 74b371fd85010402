import type { Replayed } from "../engine/settle/replay.ts";
import type { Doubt } from "../engine/settle/subtraction.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Result } from "../model/result.ts";
import { doubtLine } from "./diff.ts";
import { codeOfDoubts, needsPerson, openDoubts } from "./doubts.ts";
import type { Migration } from "./migration.ts";
import { nothingInDoubt } from "./resolve-rows.ts";
import { flowKind } from "./service-runs.ts";

/**
 * The result with what earlier runs have started at the service, or may have, and whose end is not known: no decision here settles it,
 * and who reads that nothing is in doubt believes it. `again`: the command that goes on with what is open.
 */
export function withStarts(
  migration: Migration,
  result: Result,
  { starts, runs }: Pick<Replayed, "starts" | "runs">,
  again: string,
): Result {
  const code = codeOfDoubts(openDoubts(starts));
  if (code === undefined) return result;
  const { headline = "", next = [] } = result;
  const isNothing = headline.startsWith(nothingInDoubt);
  const rest = isNothing ? `No object is in doubt.${headline.slice(nothingInDoubt.length)}` : headline;
  const movers = new Set(runs.flatMap(({ run, command }) => (moving.has(command) ? [run] : [])));
  const steps = starts.map((start) => goingOn(migration, start, movers.has(start.run) ? again : undefined));
  const [what, has] = starts.length === 1 ? ["run of the service", "has"] : ["runs of the service", "have"];
  return {
    ...result,
    exitCode: code > result.exitCode ? code : result.exitCode,
    diagnostics: [...result.diagnostics, ...starts.map((start, index) => told(start, steps[index] ?? ""))],
    headline: `${rest} ${starts.length} ${what} that ferry has started, or may have, ${has} no known end.`,
    next: [...new Set([...(isNothing ? [] : next), ...steps])],
  };
}

const moving: ReadonlySet<string> = new Set(["apply", "sync"]);

/** An apply goes on with what one has left; a rollback refuses to begin while a start is open. */
function goingOn({ plan }: Migration, start: Doubt, again = "ferry rollback "): string {
  if (start.kind !== flowKind) return `ferry parity ${plan.name} --run`;
  const isWatched = needsPerson(start) || again.startsWith("ferry rollback ");
  return isWatched ? `ferry flow ${plan.name} watch` : again;
}

function told(start: Doubt, step: string): Diagnostic {
  const isAsked = needsPerson(start);
  const code = start.kind !== flowKind ? "evaluation-running" : isAsked ? "flow-in-doubt" : "flow-running";
  return {
    severity: isAsked ? "error" : "warning",
    code,
    summary: doubtLine(start),
    suggestion: isAsked ? `Decide: ${step}` : `It is taken up, and not started a second time, by: ${step}`,
  };
}
