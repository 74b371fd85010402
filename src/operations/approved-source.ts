import type { SnapshotReader } from "../store/index.ts";
import { StoreError } from "../store/index.ts";
import type { DiffFile } from "./approved-file.ts";
import { checkBinding } from "./approved.ts";
import { exportSnapshot, openExisting } from "./export.ts";
import type { Migration } from "./migration.ts";

/**
 * An approved diff goes with the snapshot it was made from; when that is gone, an equal export will do. Throws EngineError
 * where the diff belongs to another one, to another plan, or to another tool.
 */
export async function approvedSource(
  migration: Migration,
  file: DiffFile,
  { snapshot, diff }: { readonly snapshot?: string; readonly diff?: string },
): Promise<SnapshotReader> {
  const source = (await existing(migration, file, snapshot)) ?? (await exportSnapshot(migration));
  checkBinding(migration, file, source.manifest.digest, diff);
  return source;
}

async function existing(
  migration: Migration,
  file: DiffFile,
  named: string | undefined,
): Promise<SnapshotReader | undefined> {
  if (named !== undefined) return openExisting(migration, named);
  try {
    const kept = await openExisting(migration);
    if (kept.manifest.digest === file.bound.snapshot) return kept;
    kept.close();
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "not-found") throw error;
  }
  return undefined;
}
