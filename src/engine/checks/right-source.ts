import type { Change } from "../../model/change.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Plan } from "../../model/plan.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { EngineError } from "../progress.ts";
import { counted, mostGone, namedOf } from "./most-gone.ts";

/**
 * When most of what was moved is gone at the source, and stands there under the same names as something else, the source
 * was built anew: under other URNs it would all be made a second time, beside its twins. What is only gone is deleted by
 * whoever allows that. A plan that adopts nothing wants a second one.
 */
export function refuseWrongSource(
  changes: readonly Change[],
  source: Pick<SnapshotReader, "has">,
  mapping: Pick<MappingTable, "get">,
  { name, source: from, target, policy }: Pick<Plan, "name" | "source" | "target" | "policy">,
): void {
  if (policy.adopt === "never") return;
  const found = mostGone(
    changes,
    mapping,
    ({ kind, source: at }) => at !== undefined && !source.has(kind, at.urn),
  );
  if (found === undefined) return;
  const { gone, mapped } = found;
  const nameOf = ({ kind, source: at }: Change): string => `${kind} ${at?.name ?? ""}`;
  const made = new Set(changes.filter((change) => isNew(change, source, mapping)).map(nameOf));
  const anew = gone.filter((change) => made.has(nameOf(change)));
  if (anew.length * 2 <= gone.length) return;
  const pair = `${from.name}--${target.name}`;
  throw new EngineError(
    "wrong-source",
    `${counted(gone.length)} of ${counted(mapped)} objects that were moved are gone at ${from.name}, and ${counted(anew.length)} of these stand there anew under other URNs: is ${from.baseUrl} (${from.realm}) the right source?`,
    `Check baseUrl and realm of the source in the plan. If it was built anew: commit, remove the pair's folder from mappings/ (${pair}), and look with \`ferry diff ${name}\`: what stands at ${target.name} is paired with it by name.`,
    [`anew: ${namedOf(anew)}`],
  );
}

/** The source has it, and nothing of it was moved. */
function isNew(
  { kind, action, source: at }: Change,
  source: Pick<SnapshotReader, "has">,
  mapping: Pick<MappingTable, "get">,
): boolean {
  if (at === undefined || (action !== "create" && action !== "blocked")) return false;
  return source.has(kind, at.urn) && mapping.get(kind, at.urn) === undefined;
}
