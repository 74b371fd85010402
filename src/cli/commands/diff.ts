import { resolve } from "node:path";
import { diffPlan } from "../../operations/diff.ts";
import type { Action } from "../../model/change.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { outFile } from "../out-file.ts";
import { runOnPlan } from "../session.ts";
import { UsageError } from "../usage-error.ts";

export interface DiffFlags extends CommonFlags {
  readonly snapshot?: string | undefined;
  readonly failOn?: Action[] | undefined;
  readonly out?: string | undefined;
  readonly detailedExitcode?: true | undefined;
  readonly drafts?: true | undefined;
  readonly identify?: true | undefined;
  readonly identifyLimit?: number | undefined;
  /** For the demo; people have no such flag. */
  readonly quiet?: true | undefined;
}

/** `sync --dry-run`: nothing is moved, so that nothing could be compared after it. */
export async function runDryRun(
  io: Io,
  plan: string,
  flags: DiffFlags & { readonly parity?: true | undefined; readonly run?: true | undefined },
): Promise<number> {
  const said = flags.parity === true ? "--parity" : flags.run === true ? "--run" : undefined;
  if (said !== undefined)
    throw new UsageError(
      `${said} says nothing with --dry-run`,
      `Compare what was moved before: ferry parity ${plan}${flags.run === true ? " --run" : ""}`,
    );
  return runDiff(io, plan, flags, "sync");
}

const usualIdentified = 1_000;

export async function runDiff(io: Io, plan: string, flags: DiffFlags, command = "diff"): Promise<number> {
  if (flags.identifyLimit !== undefined && flags.identify !== true)
    throw new UsageError("--identify-limit says how many --identify asks about", "Add --identify.");
  return runOnPlan(
    { io, command, plan, flags, report: true, quiet: flags.quiet },
    async ({ migration, places }) =>
      diffPlan(migration, {
        command,
        detailedExitCode: flags.detailedExitcode === true,
        drafts: flags.drafts === true,
        ...(flags.identify === true ? { identify: flags.identifyLimit ?? usualIdentified } : {}),
        ...(flags.failOn === undefined ? {} : { failOn: new Set(flags.failOn) }),
        ...(flags.snapshot === undefined ? {} : { snapshot: resolve(io.cwd, flags.snapshot) }),
        ...(flags.out === undefined ? {} : { out: outFile(io, flags.out, places.work) }),
      }),
  );
}
