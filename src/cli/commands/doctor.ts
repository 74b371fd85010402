import { doctorPlan } from "../../operations/doctor/index.ts";
import type { PairingEdit } from "../../operations/doctor/pairing-edits.ts";
import { pairLine } from "../../model/plan-lines.ts";
import { addTo, replaceValue } from "../../plan/edit.ts";
import type { CommonFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { runOnPlan } from "../session.ts";
import { UsageError } from "../usage-error.ts";

export interface DoctorFlags extends CommonFlags {
  readonly write?: boolean | undefined;
}

export async function runDoctor(io: Io, plan: string, flags: DoctorFlags): Promise<number> {
  return runOnPlan(
    { io, command: "doctor", plan, flags },
    async ({ migration, notes, planPath, rewritePlan }) => {
      const write = async (edits: readonly PairingEdit[]): Promise<readonly PairingEdit[]> => {
        await rewritePlan((text) => withPairs(planPath, text, edits));
        return edits;
      };
      const result = await doctorPlan(migration, flags.write === true ? { write } : {});
      return { ...result, diagnostics: [...notes, ...result.diagnostics] };
    },
  );
}

/** All of them or none: the rest of the plan, comments included, stays as it was written. */
function withPairs(planPath: string, before: string, edits: readonly PairingEdit[]): string {
  let text = before;
  for (const { section, source, target, replaces } of edits) {
    const path = ["pairing", section];
    const changed = replaces
      ? replaceValue(text, [...path, source], target)
      : addTo(text, path, { key: source, value: target, comment: "a guess by name" });
    if (changed === undefined)
      throw new UsageError(
        `--write: ${planPath} is written in a way that ferry cannot add to; it was left as it is`,
        `Put it there by hand, under pairing.${section}: ${pairLine(source, target)}`,
      );
    text = changed;
  }
  return text;
}
