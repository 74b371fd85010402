import type { Replayed } from "../engine/settle/replay.ts";
import { Replay } from "../engine/settle/replay.ts";
import { MappingTable } from "../model/mapping-table.ts";
import type { Journal, MappingStore } from "../store/index.ts";
import { openJournal, openMappingStore, readJournal } from "../store/index.ts";
import type { Migration } from "./migration.ts";

/** The mapping with everything that the journal adds to it. */
export interface State {
  readonly mapping: MappingTable;
  readonly store: MappingStore;
  readonly replayed: Replayed;
}

/** For looking only: takes no lock and changes no file. */
export async function readState(migration: Migration): Promise<State> {
  const { store, mapping } = await openMapping(migration, true);
  const replay = new Replay(mapping);
  for await (const record of readJournal(migration.paths.journal, { parties: migration.parties }))
    replay.feed(record);
  return { mapping, store, replayed: replay.result() };
}

/** To write with; hold the lock. */
export async function openState(
  migration: Migration,
): Promise<State & { readonly journal: Journal; readonly cut: number }> {
  const { store, mapping } = await openMapping(migration, false);
  const replay = new Replay(mapping);
  const { journal, cut } = await openJournal(migration.paths.journal, {
    tool: migration.tool,
    parties: migration.parties,
    replay: replay.feed,
    ...(migration.hooks === undefined ? {} : { hooks: migration.hooks }),
  });
  return { mapping, store, replayed: replay.result(), journal, cut: cut?.bytes ?? 0 };
}

async function openMapping(
  migration: Migration,
  readOnly: boolean,
): Promise<{ store: MappingStore; mapping: MappingTable }> {
  const store = await openMappingStore(migration.paths.mapping, {
    tool: migration.tool,
    parties: migration.parties,
    readOnly,
    ...(migration.hooks === undefined ? {} : { hooks: migration.hooks }),
  });
  const mapping = new MappingTable((kind) => migration.registry.owns(kind));
  for (const kind of store.kinds()) {
    for (const [source, entry] of store.entries(kind)) mapping.set(kind, source, entry);
  }
  return { store, mapping };
}

/** Every kind that has or had entries is written; files whose content is the same are left alone. */
export async function saveMapping(store: MappingStore, mapping: MappingTable): Promise<void> {
  for (const kind of new Set([...store.kinds(), ...mapping.kinds()])) {
    if (mapping.entries(kind).size > 0 || store.kinds().includes(kind))
      await store.save(kind, mapping.entries(kind));
  }
}
