import type { AppliedChange } from "../model/change.ts";
import type { ConsequenceOptions } from "../model/consequences.ts";
import { consequencesOf } from "../model/consequences.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ExitCode, Result } from "../model/result.ts";
import { emptySummary } from "../model/result.ts";
import type { Migration } from "./migration.ts";

/** The one result of an operation; counts and exit code come from the same changes. */
export function resultOf(
  migration: Migration,
  parts: {
    readonly command: string;
    readonly exitCode: ExitCode;
    readonly changes?: readonly AppliedChange[];
    readonly diagnostics?: readonly Diagnostic[];
    readonly headline?: string;
    readonly next?: readonly string[];
    readonly run?: string;
    readonly parity?: Result["parity"];
    readonly details?: unknown;
    /** What was or would be written, and whether that includes deletes; left out where nothing is about to be. */
    readonly writes?: { readonly allowDelete?: boolean | undefined };
  },
): Result {
  const summary = emptySummary();
  for (const change of parts.changes ?? []) {
    summary[change.acknowledged === undefined ? change.action : "acknowledged"] += 1;
    if (change.outcome === "failed") summary.failed += 1;
    if (change.outcome === "in-doubt") summary.inDoubt += 1;
  }
  return {
    version: migration.version,
    command: parts.command,
    plan: migration.plan.name,
    exitCode: parts.exitCode,
    summary,
    changes: (parts.changes ?? []).filter((change) => change.action !== "unchanged"),
    ...(parts.writes === undefined ? {} : consequencesIn(parts.changes ?? [], parts.writes)),
    diagnostics: parts.diagnostics ?? [],
    requests: migration.requests(),
    durationMs: migration.durationMs,
    source: migration.parties.source,
    target: migration.parties.target,
    ...(parts.run === undefined ? {} : { run: parts.run }),
    ...(parts.headline === undefined ? {} : { headline: parts.headline }),
    ...(parts.next === undefined ? {} : { next: parts.next }),
    ...(parts.parity === undefined ? {} : { parity: parts.parity }),
    ...(parts.details === undefined ? {} : { details: parts.details }),
  };
}

function consequencesIn(
  changes: readonly AppliedChange[],
  options: ConsequenceOptions,
): Pick<Result, "consequences"> {
  const consequences = consequencesOf(changes, options);
  return consequences.length === 0 ? {} : { consequences };
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
