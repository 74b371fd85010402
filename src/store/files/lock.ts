import { dirname } from "node:path";
import type { Disk, DiskLock } from "./disk.ts";
import { makeFolderSync } from "./folder.ts";
import { ioError } from "./io-error.ts";
import type { Holder } from "../store.ts";
import { readLockNote, removeLockNote, writeLockNote } from "./lock-note.ts";
import { nodeDisk } from "./node-disk.ts";
import { StoreError } from "../store-error.ts";

export interface Lock {
  release(): void;
  [Symbol.dispose](): void;
}

export type LockResult =
  | { readonly ok: true; readonly lock: Lock }
  /** Somebody else has it; who, when their note could be read. */
  | { readonly ok: false; readonly holder?: Holder };

/** Takes the lock, or says at once who has it. It is free the moment its holder dies. */
export function acquireLock(path: string, note: Holder, disk: Disk = nodeDisk): LockResult {
  const held = take(disk, path);
  if (held === undefined) {
    const holder = readLockNote(path, disk);
    return holder === undefined ? { ok: false } : { ok: false, holder };
  }
  try {
    writeLockNote(disk, path, note);
  } catch (error) {
    held.release();
    throw error;
  }
  let isOver = false;
  const release = (): void => {
    if (isOver) return;
    isOver = true;
    try {
      removeLockNote(disk, path); // before it is free: afterwards the note may be the next holder's
    } catch {
      // Information only: what the holder did is done, and a note that stays says no more than that of one that was killed.
    }
    held.release();
  };
  return { ok: true, lock: { release, [Symbol.dispose]: release } };
}

function take(disk: Disk, path: string): DiskLock | undefined {
  try {
    makeFolderSync(disk, dirname(path));
  } catch (error) {
    throw ioError(error, path, "write");
  }
  try {
    return disk.lock(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): StoreError {
  const why = error instanceof Error ? error.message : String(error);
  return new StoreError(
    "lock-unusable",
    path,
    `cannot lock ${path}: ${why}`,
    "Check that the file and its folder can be written and are on a local disk. " +
      "If it is not a lock file, move it away while no run is going on.",
    error,
  );
}
