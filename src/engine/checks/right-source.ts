import type { Change } from "../../model/change.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { Plan } from "../../model/plan.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { EngineError } from "../progress.ts";

/** Fewer may well have been made anew one by one. */
const fewest = 5;
const mostNamed = 5;

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
  const made = new Set<string>();
  const gone: Change[] = [];
  let mapped = 0;
  for (const change of changes) {
    const { kind, action, source: at } = change;
    if (at === undefined) continue;
    const isMapped = mapping.get(kind, at.urn) !== undefined;
    mapped += Number(isMapped);
    if (!source.has(kind, at.urn)) {
      if (isMapped) gone.push(change);
    } else if (!isMapped && (action === "create" || action === "blocked")) made.add(`${kind} ${at.name}`);
  }
  if (gone.length < fewest || gone.length * 2 <= mapped) return;
  const anew = gone.filter(({ kind, source: at }) => made.has(`${kind} ${at?.name ?? ""}`));
  if (anew.length * 2 <= gone.length) return;
  const count = (value: number): string => value.toLocaleString("en");
  const named = anew.slice(0, mostNamed).map(({ kind, source: at }) => `${kind} "${at?.name ?? ""}"`);
  const more = anew.length > named.length ? [`and ${count(anew.length - named.length)} more`] : [];
  const pair = `${from.name}--${target.name}`;
  throw new EngineError(
    "wrong-source",
    `${count(gone.length)} of ${count(mapped)} objects that were moved are gone at ${from.name}, and ${count(anew.length)} of these stand there anew under other URNs: is ${from.baseUrl} (${from.realm}) the right source?`,
    `Check baseUrl and realm of the source in the plan. If it was built anew: commit, remove the pair's folder from mappings/ (${pair}), and look with \`ferry diff ${name}\`: what stands at ${target.name} is paired with it by name.`,
    [`anew: ${[...named, ...more].join(", ")}`],
  );
}
