import type { TargetState } from "../engine/read/target.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { display } from "../model/display.ts";
import { keyText } from "../model/key.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import { StoreError } from "../store/index.ts";
import type { Migration } from "./migration.ts";

/**
 * Where an environment got another name nothing is known of what was moved, and what is equal there is adopted. What is called otherwise
 * at the source since is met by no name, and under `adopt: never` nothing is: it would be made a second time. And what a colleague has
 * changed since, which was drift under the old name, would be taken over as at first contact. Looked for only where something is to be
 * made or taken over, and of each object by itself: other plans may have brought others of its kind under the new name.
 */
export async function refuseMadeElsewhere(
  { store: { state }, registry, plan }: Pick<Migration, "store" | "registry" | "plan">,
  changes: readonly Change[],
  { snapshot }: Pick<TargetState, "snapshot">,
  mapping: Pick<MappingTable, "entries" | "get" | "takenBy">,
): Promise<void> {
  const made = new Set<string>();
  const kinds = new Set<string>();
  /** By what is to be taken over, its twin. */
  const twins = new Map<string, string>();
  for (const { action, kind, source, target, diagnostics } of changes) {
    if (action === "create" && registry.owns(kind)) made.add(kind);
    if (source === undefined || target === undefined || !diagnostics.some(isTakenOver)) continue;
    if (mapping.get(kind, source.urn) !== undefined) continue;
    twins.set(keyText(kind, source.urn), target.urn);
    kinds.add(kind);
  }
  for (const kind of made) kinds.add(kind);
  if (kinds.size === 0) return;
  const unknown = [...made].filter((kind) => mapping.entries(kind).size === 0);
  // What it may have there that nobody can read, or of which nobody knows the end, counts as well.
  if (plan.policy.adopt === "never" && unknown.length > 0) await state.refuseOtherNames(unknown);
  const known = new Map<string, string>();
  for await (const { folder, kind, source, target } of state.otherRows([...kinds])) {
    const key = keyText(kind, source);
    const isThere = target !== undefined && snapshot.has(kind, target);
    // What is somebody else's twin by now is none of its own.
    const isFree = isThere && mapping.takenBy(kind, target) === undefined;
    const twin = twins.get(key);
    const isKnown = twin === undefined ? isFree && mapping.get(kind, source) === undefined : twin === target;
    if (isKnown) known.set(key, folder);
    else known.delete(key);
  }
  if (known.size === 0) return;
  for (const { action, kind, source } of changes) {
    const key = keyText(kind, source?.urn ?? "");
    const folder = action === "create" || twins.has(key) ? known.get(key) : undefined;
    if (folder === undefined) continue;
    const loss =
      action === "create" ? "it would be made a second time" : "what people set in it would be overwritten";
    throw new StoreError(
      "foreign-state",
      folder,
      `${kind} "${display(source?.name ?? "")}" was moved already, as ${display(folder)} has it, which is of the same two environments under other names: ${loss}`,
      "Give the environments the names in the plan that they have there, or rename that folder so; or take it away, where it is of no use any more.",
    );
  }
}

function isTakenOver({ code }: Diagnostic): boolean {
  return code === "taken-over";
}
