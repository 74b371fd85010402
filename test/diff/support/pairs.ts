import type { MappingEntry } from "../../../src/model/mapping.ts";
import { saveMapping, writing } from "../../../src/operations/state.ts";
import type { Stage } from "./run.ts";

/** Puts a pair into what is stored of the mapping, as a person does who writes it into the file. */
export async function namePair(
  { world }: Stage,
  kind: string,
  source: string,
  target: string,
  before: Partial<MappingEntry> = {},
): Promise<void> {
  const entry: MappingEntry = { name: "named by hand", origin: "explicit", ...before, target };
  const migration = world.migration();
  await writing(migration, async (_run, state) => {
    state.mapping.set(kind, source, entry);
    await saveMapping(migration, state);
  });
}
