import type { EngineHooks } from "../../engine/apply/recorder.ts";
import { resultOf } from "../../operations/result.ts";
import { previewRollback, requireRun, rollbackRun } from "../../operations/rollback.ts";
import type { AppliedChange } from "../../model/change.ts";
import { shellWord } from "../../model/shell-word.ts";
import { renderText } from "../../report/index.ts";
import type { StoreHooks } from "../../store/index.ts";
import { isForMachines } from "../brief.ts";
import { hasConsent, requireConsent } from "../confirm.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { wantsColor } from "../present.ts";
import { runOnPlan } from "../session.ts";

export interface RollbackFlags extends CommonFlags {
  readonly run?: string | undefined;
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly allowDelete?: true | undefined;
}

export async function runRollback(
  io: Io,
  plan: string,
  flags: RollbackFlags,
  hooks?: EngineHooks & StoreHooks,
): Promise<number> {
  const session = { io, command: "rollback", plan, flags, report: true, hooks };
  return runOnPlan(session, async ({ migration, advised, show }) => {
    if (flags.dryRun === true) return previewRollback(migration, { run: flags.run });
    const run = flags.run === undefined ? "" : ` --run ${shellWord(flags.run)}`;
    // Whoever adds --yes would only then be told that there is no such run.
    if (flags.run !== undefined && !hasConsent(io, flags, flags.yes)) await requireRun(migration, flags.run);
    requireConsent(io, flags, flags.yes, `ferry rollback ${migration.plan.name}${run} --dry-run`);
    return rollbackRun(migration, {
      run: flags.run,
      allowDelete: flags.allowDelete === true,
      confirm: async (planned, run) => {
        const forReading = !isForMachines(flags) && (flags.format ?? "text") === "text";
        if (flags.yes === true && !forReading) return true;
        const shown = advised(
          resultOf(migration, {
            command: "rollback",
            exitCode: 0,
            changes: planned,
            headline: `${run}: this is what would be done. Nothing was written yet.${without(planned, flags)}`,
          }),
        );
        const page = { color: wantsColor(io, io.stderr, flags), width: io.stderr.columns };
        show(`${renderText(shown, { ...page, verbose: flags.verbose })}\n`);
        if (flags.yes === true) return true;
        const word = migration.plan.target.confirm ?? "yes";
        const question = `${run}. Take this back at ${migration.plan.target.name}? Type ${word}: `;
        return (await migration.asks(async () => io.ask(question))).trim() === word;
      },
    });
  });
}

function without(planned: readonly AppliedChange[], { allowDelete }: RollbackFlags): string {
  const isWithheld = planned.some(
    ({ outcome, records }) => outcome === "withheld" || (allowDelete !== true && (records?.delete ?? 0) > 0),
  );
  return !isWithheld ? "" : " What the run created stays: deletes need --allow-delete.";
}
