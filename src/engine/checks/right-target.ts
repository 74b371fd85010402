import type { Change } from "../../model/change.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Plan } from "../../model/plan.ts";
import { EngineError } from "../progress.ts";
import { counted, mostGone, namedOf } from "./most-gone.ts";

/**
 * When most of what was moved is gone, that is one finding and not hundreds: the target is another environment under the
 * same address, or it was reset. Asked before any of them is looked for by itself. A plan that says to create anew what
 * is missing has answered already.
 */
export function refuseWrongTarget(
  changes: readonly Change[],
  mapping: Pick<MappingTable, "get">,
  { name, target, policy }: Pick<Plan, "name" | "target" | "policy">,
): void {
  if (policy.missingTarget === "recreate") return;
  const found = mostGone(changes, mapping, ({ diagnostics }) =>
    diagnostics.some(({ code }) => code === "missing-at-target"),
  );
  if (found === undefined) return;
  const { gone, mapped } = found;
  throw new EngineError(
    "wrong-target",
    `${counted(gone.length)} of ${counted(mapped)} objects that were moved to ${target.name} are gone there: is ${target.baseUrl} (${target.realm}) the right target?`,
    `Check baseUrl and realm of the target in the plan. If it was reset and shall be filled again: set policy.missingTarget to recreate, look with \`ferry diff ${name}\`, and apply.`,
    [`gone: ${namedOf(gone)}`],
  );
}
