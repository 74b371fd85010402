import { resultOf } from "../../job/result.ts";
import { rollbackJob } from "../../job/rollback.ts";
import { renderText } from "../../report/index.ts";
import { requireConsent } from "../confirm.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { wantsColor } from "../present.ts";
import { runOnPlan } from "../session.ts";

export interface RollbackFlags extends CommonFlags {
  readonly run?: string | undefined;
  readonly yes?: true | undefined;
}

export async function runRollback(io: Io, plan: string, flags: RollbackFlags): Promise<number> {
  return runOnPlan({ io, command: "rollback", plan, flags, report: true }, async ({ job, clear }) => {
    requireConsent(io, flags, flags.yes);
    return rollbackJob(job, {
      run: flags.run,
      confirm: async (planned) => {
        if (flags.yes === true) return true;
        clear();
        const shown = resultOf(job, { command: "rollback", exitCode: 0, changes: planned });
        io.stderr.write(
          renderText(shown, { color: wantsColor(io, io.stderr, flags), width: io.stderr.columns }),
        );
        const word = job.plan.target.confirm ?? "yes";
        return (await io.ask(`Take this back at ${job.plan.target.name}? Type ${word}: `)).trim() === word;
      },
    });
  });
}
