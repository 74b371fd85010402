import type { Migration } from "./migration.ts";

/** Remembered for the next diff, which plans without what the target was seen not to offer. */
export async function rememberNotOffered(migration: Migration, seen: ReadonlySet<string>): Promise<void> {
  if (seen.size === 0) return;
  const { work } = migration.store;
  await work.saveNotOffered(new Set([...(await work.notOffered()), ...seen]));
}
