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

interface Comparing {
  readonly parity?: true | undefined;
  readonly run?: true | undefined;
}

/** `sync --dry-run` */
export async function runDryRun(io: Io, plan: string, flags: DiffFlags & Comparing): Promise<number> {
  return runDiff(io, plan, flags, "sync");
}

/** Nothing is moved, so that nothing could be compared after it. */
function refuseComparing({ parity, run }: Comparing, name: string): void {
  const said = parity === true ? "--parity" : run === true ? "--run" : undefined;
  if (said === undefined) return;
  throw new UsageError(
    `${said} says nothing with --dry-run`,
    `Compare what was moved before: ferry parity ${name}${run === true ? " --run" : ""}`,
  );
}

const usualIdentified = 1_000;

export async function runDiff(
  io: Io,
  plan: string,
  flags: DiffFlags & Comparing,
  command = "diff",
): Promise<number> {
  if (flags.identifyLimit !== undefined && flags.identify !== true)
    throw new UsageError("--identify-limit says how many --identify asks about", "Add --identify.");
  return runOnPlan(
    { io, command, plan, flags, report: true, quiet: flags.quiet },
    async ({ migration, kept }) => {
      refuseComparing(flags, migration.plan.name);
      return diffPlan(migration, {
        command,
        detailedExitCode: flags.detailedExitcode === true,
        drafts: flags.drafts === true,
        ...(flags.identify === true ? { identify: flags.identifyLimit ?? usualIdentified } : {}),
        ...(flags.failOn === undefined ? {} : { failOn: new Set(flags.failOn) }),
        ...(flags.snapshot === undefined ? {} : { snapshot: resolve(io.cwd, flags.snapshot) }),
        ...(flags.out === undefined ? {} : { out: outFile(io, flags.out, kept) }),
      });
    },
  );
}
