import type { TargetState } from "../engine/read/target.ts";
import type { Change } from "../model/change.ts";
import { display } from "../model/display.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import { StoreError } from "../store/index.ts";
import type { Migration } from "./migration.ts";

/**
 * Where an environment got another name nothing is known of what was moved, and what is equal there is adopted. What is called otherwise
 * at the source since is met by no name, and under `adopt: never` nothing is: it would be made a second time. Looked for only where
 * something is to be made, and of each object by itself: other plans may have brought others of its kind under the new name.
 */
export async function refuseMadeElsewhere(
  { store: { state }, registry, plan }: Pick<Migration, "store" | "registry" | "plan">,
  changes: readonly Change[],
  { snapshot }: Pick<TargetState, "snapshot">,
  mapping: Pick<MappingTable, "entries" | "get" | "takenBy">,
): Promise<void> {
  const kinds = new Set<string>();
  for (const { action, kind } of changes) if (action === "create" && registry.owns(kind)) kinds.add(kind);
  if (kinds.size === 0) return;
  const unknown = [...kinds].filter((kind) => mapping.entries(kind).size === 0);
  // What it may have there that nobody can read, or of which nobody knows the end, counts as well.
  if (plan.policy.adopt === "never" && unknown.length > 0) await state.refuseOtherNames(unknown);
  const known = new Map<string, string>();
  for await (const { folder, kind, source, target } of state.otherRows([...kinds])) {
    const isThere = target !== undefined && snapshot.has(kind, target);
    // What is somebody else's twin by now is none of its own.
    const isFree = isThere && mapping.takenBy(kind, target) === undefined;
    if (isFree && mapping.get(kind, source) === undefined) known.set(`${kind} ${source}`, folder);
    else known.delete(`${kind} ${source}`);
  }
  if (known.size === 0) return;
  for (const { action, kind, source } of changes) {
    const folder = action === "create" ? known.get(`${kind} ${source?.urn ?? ""}`) : undefined;
    if (folder === undefined) continue;
    throw new StoreError(
      "foreign-state",
      folder,
      `${kind} "${display(source?.name ?? "")}" was moved already, as ${display(folder)} has it, which is of the same two environments under other names: it would be made a second time`,
      "Give the environments the names in the plan that they have there, or rename that folder so; or take it away, where it is of no use any more.",
    );
  }
}
