import { resolve } from "node:path";
import { diffPlan } from "../../operations/diff.ts";
import type { Action } from "../../model/change.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { outFile } from "../out-file.ts";
import { runOnPlan } from "../session.ts";

export interface DiffFlags extends CommonFlags {
  readonly snapshot?: string | undefined;
  readonly failOn?: Action[] | undefined;
  readonly out?: string | undefined;
  readonly detailedExitcode?: true | undefined;
  readonly drafts?: true | undefined;
  /** For the demo; people have no such flag. */
  readonly quiet?: true | undefined;
}

export async function runDiff(io: Io, plan: string, flags: DiffFlags, command = "diff"): Promise<number> {
  return runOnPlan(
    { io, command, plan, flags, report: true, quiet: flags.quiet },
    async ({ migration, places }) =>
      diffPlan(migration, {
        command,
        detailedExitCode: flags.detailedExitcode === true,
        drafts: flags.drafts === true,
        ...(flags.failOn === undefined ? {} : { failOn: new Set(flags.failOn) }),
        ...(flags.snapshot === undefined ? {} : { snapshot: resolve(io.cwd, flags.snapshot) }),
        ...(flags.out === undefined ? {} : { out: outFile(io, flags.out, places.work) }),
      }),
  );
}
