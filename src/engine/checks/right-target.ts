import type { Change } from "../../model/change.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Plan } from "../../model/plan.ts";
import { EngineError } from "../progress.ts";

/** Fewer may well have been removed one by one. */
const fewest = 5;
const mostNamed = 5;

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
  const mapped = changes.filter(({ kind, source }) => mapping.get(kind, source?.urn ?? "") !== undefined);
  const gone = mapped.filter(({ diagnostics }) =>
    diagnostics.some(({ code }) => code === "missing-at-target"),
  );
  if (gone.length < fewest || gone.length * 2 <= mapped.length) return;
  const count = (value: number): string => value.toLocaleString("en");
  const named = gone.slice(0, mostNamed).map(({ kind, source }) => `${kind} "${source?.name ?? ""}"`);
  const more = gone.length > named.length ? [`and ${count(gone.length - named.length)} more`] : [];
  throw new EngineError(
    "wrong-target",
    `${count(gone.length)} of ${count(mapped.length)} objects that were moved to ${target.name} are gone there: is ${target.baseUrl} (${target.realm}) the right target?`,
    `Check baseUrl and realm of the target in the plan. If it was reset and shall be filled again: set policy.missingTarget to recreate, look with \`ferry diff ${name}\`, and apply.`,
    [`gone: ${[...named, ...more].join(", ")}`],
  );
}
