import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolderSync } from "./folder.ts";
import { ioError } from "./io-error.ts";
import type { Holder } from "../store.ts";
import { readLockNote, removeLockNote, writeLockNote } from "./lock-note.ts";
import { StoreError } from "../store-error.ts";

export interface Lock {
  release(): void;
  [Symbol.dispose](): void;
}

export type LockResult =
  | { readonly ok: true; readonly lock: Lock }
  /** Somebody else has it; who, when their note could be read. */
  | { readonly ok: false; readonly holder?: Holder };

/** A connection that nobody refers to is closed by the garbage collector, which would free the lock. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock, or says at once who has it. The operating system holds it (SQLite's exclusive lock on the
 * file): it is free the moment its holder dies and is never taken from a holder that is merely suspended.
 *
 * The file stays when the lock is released: removing it would let two processes lock two files of one name. It
 * must not be opened by other means in this process: POSIX frees a lock when any descriptor of its file closes.
 */
export function acquireLock(path: string, note: Holder): LockResult {
  const database = open(path);
  try {
    if (!lock(database, path)) {
      database.close();
      const holder = readLockNote(path);
      return holder === undefined ? { ok: false } : { ok: false, holder };
    }
    writeLockNote(path, note);
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
  held.add(database);
  const release = (): void => {
    if (!held.delete(database)) return;
    try {
      removeLockNote(path); // before it is free: afterwards the note may be the next holder's
    } finally {
      database.close();
    }
  };
  return { ok: true, lock: { release, [Symbol.dispose]: release } };
}

function open(path: string): DatabaseSync {
  try {
    makeFolderSync(dirname(path));
  } catch (error) {
    throw ioError(error, path, "write");
  }
  try {
    return new DatabaseSync(resolve(path)); // resolved, so that a name like `file:x` is no address to SQLite
  } catch (error) {
    throw unusable(path, error);
  }
}

function lock(database: DatabaseSync, path: string): boolean {
  try {
    database.exec("PRAGMA journal_mode = MEMORY"); // no second file beside the lock
    database.exec("BEGIN EXCLUSIVE");
    // A file that we may only read gives a shared lock without an error; a change shows it. It is never committed.
    database.exec("PRAGMA user_version = 1");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw unusable(path, error);
  }
}

function isBusy(error: unknown): boolean {
  const busy = 5; // SQLITE_BUSY; the upper bytes hold the extended code
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === busy;
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
