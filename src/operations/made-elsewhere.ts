import type { TargetState } from "../engine/read/target.ts";
import type { Change } from "../model/change.ts";
import { display } from "../model/display.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import { StoreError } from "../store/index.ts";
import type { Migration } from "./migration.ts";

/**
 * Where an environment got another name nothing is known of what was moved, and what is equal there is adopted. What is called otherwise
 * at the source since is met by no name: it would be made a second time. Looked for only where something is to be made of a kind of which
 * nothing is known.
 */
export async function refuseMadeElsewhere(
  { store, registry }: Pick<Migration, "store" | "registry">,
  changes: readonly Change[],
  { snapshot }: Pick<TargetState, "snapshot">,
  mapping: Pick<MappingTable, "entries">,
): Promise<void> {
  const isNew = (kind: string): boolean => registry.owns(kind) && mapping.entries(kind).size === 0;
  const kinds = new Set<string>();
  for (const { action, kind } of changes)
    if (action === "create" && !kinds.has(kind) && isNew(kind)) kinds.add(kind);
  if (kinds.size === 0) return;
  const known = new Map<string, string>();
  for await (const { folder, kind, source, target } of store.state.otherRows([...kinds]))
    if (snapshot.has(kind, target)) known.set(`${kind} ${source}`, folder);
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
