import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { Holder } from "../store.ts";
import { ioError } from "./io-error.ts";
import { releaseTemporary, temporaryBeside } from "./temporary.ts";

/**
 * Who holds a lock, for the message that another run gets. It stands beside the lock in `<lock>.holder`, one
 * JSON object and a line feed, because nobody can read a file that is locked. It is information only: whether
 * the lock is held is known to the operating system alone.
 */
const schema: z.ZodType<Holder> = z.looseObject({
  owner: z.string(),
  host: z.string(),
  pid: z.number(),
  run: z.string(),
  plan: z.string().optional(),
  since: z.string(),
});

export function lockNotePath(lock: string): string {
  return `${lock}.holder`;
}

/** Undefined when there is none yet, or it cannot be read. */
export function readLockNote(lock: string): Holder | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(lockNotePath(lock), "utf8")));
  } catch {
    return undefined;
  }
}

export function writeLockNote(lock: string, note: Holder): void {
  const path = lockNotePath(lock);
  const temporary = temporaryBeside(path);
  try {
    writeFileSync(temporary, `${JSON.stringify(note)}\n`, { flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw ioError(error, path, "write");
  } finally {
    releaseTemporary(temporary);
  }
}

export function removeLockNote(lock: string): void {
  rmSync(lockNotePath(lock), { force: true });
}
