import type { Migration } from "./migration.ts";

/** Whoever looks over an environment has it tried anew. How many there were. */
export async function forgetNotOffered({ store: { work } }: Migration): Promise<number> {
  const { size } = await work.notOffered();
  if (size > 0) await work.saveNotOffered(new Set());
  return size;
}

/** Remembered for the next diff, which plans without what the target was seen not to offer. */
export async function rememberNotOffered(migration: Migration, seen: ReadonlySet<string>): Promise<void> {
  if (seen.size === 0) return;
  const { work } = migration.store;
  await work.saveNotOffered(new Set([...(await work.notOffered()), ...seen]));
}
