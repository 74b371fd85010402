import { join } from "node:path";
import { z } from "zod";
import { readJsonFile, StoreError, writeJsonFile } from "../store/index.ts";
import type { Migration } from "./migration.ts";

/** What the target was seen not to offer (page 04: PATCH of a rule is known, not documented). */
const schema = z.looseObject({ format: z.literal(1), notOffered: z.array(z.string()) });

function pathOf(migration: Migration): string {
  return join(migration.paths.work, "capabilities.json");
}

export async function readNotOffered(migration: Migration): Promise<ReadonlySet<string>> {
  try {
    return new Set((await readJsonFile(pathOf(migration), schema)).notOffered);
  } catch (error) {
    if (error instanceof StoreError && error.code === "not-found") return new Set();
    throw error;
  }
}

/** Remembered for the next diff, which plans without it; removing the file makes ferry try again. */
export async function rememberNotOffered(migration: Migration, seen: ReadonlySet<string>): Promise<void> {
  if (seen.size === 0) return;
  const known = await readNotOffered(migration);
  const notOffered = [...new Set([...known, ...seen])].sort((left, right) => left.localeCompare(right));
  await writeJsonFile(pathOf(migration), { format: 1, notOffered });
}
