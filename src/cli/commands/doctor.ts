import { doctorPlan } from "../../operations/doctor/index.ts";
import type { Check } from "../../operations/doctor/examination.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PairingEdit } from "../../operations/doctor/pairing-edits.ts";
import { pairLine } from "../../model/plan-lines.ts";
import { addTo, replaceValue } from "../../plan/edit.ts";
import type { CommonFlags } from "../flags.ts";
import { isForMachines } from "../brief.ts";
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
      const diagnostics = [...notes, ...result.diagnostics];
      if (isForMachines(flags)) return { ...result, diagnostics };
      const checks = result.details.checks.map((check) => toldOnce(check, diagnostics));
      return { ...result, diagnostics, details: { ...result.details, checks } };
    },
  );
}

/** What is wrong is told below in full, with what to do: the last column would say it once more, a few words a line. */
function toldOnce(check: Check, diagnostics: readonly Diagnostic[]): Check {
  const isTold = check.state !== "ok" && diagnostics.some(({ summary }) => summary.endsWith(check.detail));
  return isTold ? { ...check, detail: "see below" } : check;
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
