import type { MappingEntry } from "../../../src/model/mapping.ts";
import { openMappingStore } from "../../../src/store/files/index.ts";
import type { Stage } from "./run.ts";

/** Puts a pair into the mapping's file, as a person does. */
export async function namePair(
  { world }: Stage,
  kind: string,
  source: string,
  target: string,
): Promise<void> {
  const { tool, parties } = world.migration();
  const store = await openMappingStore(world.places().mapping, { tool, parties });
  const entry: MappingEntry = { name: "named by hand", target, origin: "explicit" };
  await store.save(kind, new Map([...store.entries(kind), [source, entry]]));
}
