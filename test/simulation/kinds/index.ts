import { folders } from "./folders.ts";
import type { SimulatedKind } from "./kind.ts";

/** Kinds without drafts, in the order in which they are seeded. */
export const plainKinds: readonly SimulatedKind[] = [folders as SimulatedKind];

export function plainKind(name: string): SimulatedKind | undefined {
  return plainKinds.find((kind) => kind.name === name);
}
