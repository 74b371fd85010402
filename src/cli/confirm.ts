import type { Diff } from "../engine/diff/index.ts";
import type { Result } from "../model/result.ts";
import type { Migration } from "../operations/migration.ts";
import { resultOf } from "../operations/result.ts";
import { renderConsequences, renderText } from "../report/index.ts";
import type { CommonFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { wantsColor } from "./present.ts";
import { UsageError } from "./usage-error.ts";

/** It was given already, or there is a person to ask for it. */
export function hasConsent(io: Io, flags: CommonFlags, yes: boolean | undefined): boolean {
  return yes === true || (io.interactive && flags.input);
}

/** Without a person to ask, `--yes` is needed; found out before the first request. */
export function requireConsent(
  io: Io,
  flags: CommonFlags,
  yes: boolean | undefined,
  /** The whole command that only looks. */
  dryRun: string,
): void {
  if (hasConsent(io, flags, yes)) return;
  throw new UsageError(
    "there is no terminal to confirm on",
    `Add --yes, or run \`${dryRun}\` for a dry run.`,
  );
}

/** Flows come before the diff: what they are is all there is to show. */
export async function confirmFlows(
  io: Io,
  migration: Migration,
  labels: readonly string[],
): Promise<boolean> {
  const { target } = migration.plan;
  const word = target.confirm ?? "yes";
  const question = `Start ${labels.join(", ")} at ${target.name} (${target.baseUrl}) before it is read? Type ${word}: `;
  const answer = await migration.asks(async () => io.ask(question));
  return answer.trim() === word;
}

/**
 * Shows the diff and asks; where the plan names a word to type (target.confirm), only that word will do. With --yes
 * nobody is asked, and the diff is shown before it is done all the same, unless stdout is for a machine.
 */
export async function confirm(options: {
  readonly io: Io;
  readonly migration: Migration;
  readonly diff: Diff;
  readonly flags: Pick<CommonFlags, "color" | "verbose" | "json" | "format">;
  readonly yes: boolean | undefined;
  readonly allowDelete: boolean;
  /** With what only the command line knows. */
  readonly advised: (result: Result) => Result;
  /** Puts the diff before the person; the result need not show it once more. */
  readonly show: (text: string) => void;
}): Promise<boolean> {
  const { io, migration, diff, flags, yes, allowDelete, advised, show } = options;
  const forReading = flags.json !== true && (flags.format ?? "text") === "text";
  if (yes === true && !forReading) return true;
  const planned = advised(
    resultOf(migration, {
      command: "diff",
      exitCode: 0,
      changes: diff.changes,
      diagnostics: diff.diagnostics,
      writes: { allowDelete },
    }),
  );
  const page = { color: wantsColor(io, io.stderr, flags), width: io.stderr.columns };
  show(`${renderText(planned, { ...page, verbose: flags.verbose })}\n`);
  if (yes === true) return true;
  show(`\n${renderConsequences(planned, page)}`);
  const word = migration.plan.target.confirm ?? "yes";
  const { name, baseUrl } = migration.plan.target;
  const answer = await migration.asks(async () =>
    io.ask(`Apply this to ${name} (${baseUrl})? Type ${word}: `),
  );
  return answer.trim() === word;
}
