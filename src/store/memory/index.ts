import type { Parties } from "../../model/mapping.ts";
import type { Store } from "../store.ts";
import { MemoryPlace, MemoryState } from "./state.ts";
import { MemoryWork } from "./work.ts";

export { MemoryPlace } from "./state.ts";

/** A store that lives as long as the process; `place` is what several of them share. */
export function memoryStore(
  options: { readonly plan: string; readonly parties: Parties },
  place: MemoryPlace = new MemoryPlace(),
): Store {
  const { plan, parties } = options;
  const runs = place.runs.get(plan) ?? new Map();
  place.runs.set(plan, runs);
  return { state: new MemoryState(place, plan), work: new MemoryWork(parties, runs) };
}
