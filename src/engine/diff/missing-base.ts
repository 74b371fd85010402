import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Plan } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";

/**
 * Conflicts of objects that were applied before, of which nobody here knows as what: `applied.ndjson` is not in git, so
 * another machine, or a runner that starts anew each time, does not have it. Told once, as nothing can be merged then.
 */
export function missingBase(
  changes: readonly Change[],
  mapping: Pick<MappingTable, "get">,
  { name, policy }: Pick<Plan, "name" | "policy">,
): readonly Diagnostic[] {
  const without = changes.filter(
    ({ action, kind, source, fields }) =>
      action === "conflict" &&
      source !== undefined &&
      fields.length > 0 &&
      fields.every(({ base }) => base === undefined) &&
      mapping.get(kind, source.urn)?.sourceFingerprint !== undefined,
  );
  if (without.length === 0) return [];
  const which = `${plural(without.length, "conflict")} ${without.length === 1 ? "is" : "are"}`;
  const isMerging = policy.conflict === "merge";
  return [
    {
      severity: isMerging ? "warning" : "info",
      code: "no-common-base",
      summary: `${which} told without a common base: what was last applied is not known here${isMerging ? ", so nothing of it was merged" : ""}`,
      detail:
        "It stands in applied.ndjson beside the mapping, which git ignores: where the last apply ran on another machine it is not there. After a rollback what was taken back stands there.",
      suggestion: `Decide: ferry decide ${name}. Where the last apply ran elsewhere, run there, or keep the file from run to run, as mappings/README.md says.`,
    },
  ];
}
