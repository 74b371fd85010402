import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { DiskLock } from "./disk.ts";

/** A connection that nobody refers to is closed by the garbage collector, which would free the lock. */
const held = new Set<DatabaseSync>();

/**
 * The operating system holds it (SQLite's exclusive lock on the file): it is free the moment its holder dies and is
 * never taken from a holder that is merely suspended. Undefined when somebody has it.
 *
 * The file stays when the lock is released: removing it would let two processes lock two files of one name. It
 * must not be opened by other means in this process: POSIX frees a lock when any descriptor of its file closes.
 */
export function lockFile(path: string): DiskLock | undefined {
  // Resolved, so that a name like `file:x` is no address to SQLite. Who only looks is gone long before the time is over.
  const database = new DatabaseSync(resolve(path), { timeout: lookedAt });
  try {
    database.exec("PRAGMA journal_mode = MEMORY"); // no second file beside the lock
    database.exec("BEGIN EXCLUSIVE");
    // A file that we may only read gives a shared lock without an error; a change shows it. It is never committed.
    database.exec("PRAGMA user_version = 1");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  held.add(database);
  return {
    release: () => {
      if (held.delete(database)) database.close();
    },
  };
}

/** Milliseconds: a look (`isLocked`) holds the file for some microseconds, which nobody is to be refused for. */
const lookedAt = 100;

/** Of a file that is there. By a shared lock that is given back at once: it is refused while somebody has the exclusive one. */
export function isLocked(path: string): boolean | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(resolve(path), { readOnly: true });
    database.prepare("PRAGMA user_version").get();
    return false;
  } catch (error) {
    return isBusy(error) ? true : undefined;
  } finally {
    database?.close();
  }
}

function isBusy(error: unknown): boolean {
  const busy = 5; // SQLITE_BUSY; the upper bytes hold the extended code
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === busy;
}
