import { resolve } from "node:path";
import type { EngineHooks } from "../../engine/apply/recorder.ts";
import { applyPlan } from "../../operations/apply.ts";
import { thenParity } from "../../operations/parity.ts";
import type { StoreHooks } from "../../store/index.ts";
import { confirm, confirmFlows, requireConsent } from "../confirm.ts";
import type { Action } from "../../model/change.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";
import { UsageError } from "../usage-error.ts";

export interface ApplyFlags extends CommonFlags {
  readonly diff?: string | undefined;
  readonly snapshot?: string | undefined;
  readonly failOn?: Action[] | undefined;
  readonly yes?: true | undefined;
  readonly allowDelete?: true | undefined;
  readonly maxDeletes?: number | undefined;
  readonly cancel?: true | undefined;
  readonly parity?: true | undefined;
  readonly run?: true | undefined;
  /** Of a dry run, which is no apply. */
  readonly detailedExitcode?: true | undefined;
  /** For the demo, which has shown the diff; people have no such flag. */
  readonly quiet?: true | undefined;
}

/** `apply`, and `sync` with a proof at its end. */
export async function runApply(
  io: Io,
  plan: string,
  flags: ApplyFlags,
  options: { readonly command: "apply" | "sync"; readonly hooks?: (EngineHooks & StoreHooks) | undefined },
): Promise<number> {
  const { command } = options;
  return runOnPlan(
    { io, command, plan, flags, report: true, hooks: options.hooks, quiet: flags.quiet },
    async ({ migration, advised, show }) => {
      requireConsent(io, flags, flags.yes, `ferry diff ${migration.plan.name}`);
      if (flags.run === true && flags.parity !== true)
        throw new UsageError("--run says nothing without --parity", "Add --parity, or leave --run out.");
      if (flags.detailedExitcode === true)
        throw new UsageError(
          "--detailed-exitcode says nothing without --dry-run",
          "Add --dry-run, or leave --detailed-exitcode out.",
        );
      const applied = await applyPlan(migration, {
        command,
        cancelFlows: flags.cancel,
        confirmFlows: async (labels) => flags.yes === true || confirmFlows(io, migration, labels),
        verify: command === "sync",
        allowDelete: flags.allowDelete === true,
        ...(flags.maxDeletes === undefined ? {} : { maxDeletes: flags.maxDeletes }),
        ...(flags.diff === undefined ? {} : { diff: resolve(io.cwd, flags.diff) }),
        ...(flags.failOn === undefined ? {} : { failOn: new Set(flags.failOn) }),
        ...(flags.snapshot === undefined ? {} : { snapshot: resolve(io.cwd, flags.snapshot) }),
        confirm: async (diff) =>
          confirm({
            io,
            migration,
            diff,
            flags,
            yes: flags.yes,
            allowDelete: flags.allowDelete === true,
            advised,
            show,
          }),
      });
      return flags.parity === true ? thenParity(migration, applied, { run: flags.run === true }) : applied;
    },
  );
}
