import type { Diff } from "../engine/diff/index.ts";
import type { Job } from "../job/job.ts";
import { resultOf } from "../job/result.ts";
import { renderText } from "../report/index.ts";
import type { CommonFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { wantsColor } from "./present.ts";
import { UsageError } from "./usage-error.ts";

/** Without a person to ask, `--yes` is needed; found out before the first request. */
export function requireConsent(io: Io, flags: CommonFlags, yes: boolean | undefined): void {
  if (yes === true || (io.interactive && flags.input)) return;
  throw new UsageError("there is no terminal to confirm on", "Add --yes, or run `ferry diff` for a dry run.");
}

/** Shows the diff and asks; where the plan names a word to type (target.confirm), only that word will do. */
export async function confirm(options: {
  readonly io: Io;
  readonly job: Job;
  readonly diff: Diff;
  readonly flags: Pick<CommonFlags, "color">;
  readonly yes: boolean | undefined;
  readonly clear: () => void;
}): Promise<boolean> {
  const { io, job, diff, flags, yes, clear } = options;
  if (yes === true) return true;
  clear();
  const shown = resultOf(job, {
    command: "diff",
    exitCode: 0,
    changes: diff.changes,
    diagnostics: diff.diagnostics,
  });
  io.stderr.write(renderText(shown, { color: wantsColor(io, io.stderr, flags), width: io.stderr.columns }));
  const word = job.plan.target.confirm ?? "yes";
  const answer = await io.ask(
    `Apply this to ${job.plan.target.name} (${job.plan.target.baseUrl})? Type ${word}: `,
  );
  return answer.trim() === word;
}
