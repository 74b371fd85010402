import type { RowIntent } from "../../model/journal.ts";
import type { Policy } from "../../model/plan.ts";
import { partWritten } from "../../model/row-print.ts";

export type RowPolicy = Pick<Policy, "drift" | "conflict" | "missingTarget">;

/**
 * Whether what a run has begun is written over what somebody had said by then, or makes again what they had removed, and the plan of now
 * leaves that to them: a comparison (`decide.ts`) would not ask for it. What takes a row back is asked for by nobody's plan.
 */
export function isUnasked({ action, print, was, back }: RowIntent, policy: RowPolicy): boolean {
  if (back === true || was === undefined || action === "delete") return false;
  if (action === "create") return policy.missingTarget === "report";
  if (print === undefined || print[1] === was[1]) return false;
  const [isDriftLeft, isConflictLeft] = [policy.drift === "report", policy.conflict !== "source-wins"];
  // Of what is written in parts the first does not tell what the source says: where it is asked for, the comparison brings it again.
  if (print[0] === partWritten && was[0] !== partWritten) return isDriftLeft || isConflictLeft;
  return print[0] === was[0] ? isDriftLeft : isConflictLeft;
}
