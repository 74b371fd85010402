import { z } from "zod";
import type { Holder } from "../store.ts";
import type { Disk } from "./disk.ts";
import { ioError } from "./io-error.ts";
import { nodeDisk } from "./node-disk.ts";
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
export function readLockNote(lock: string, disk: Disk = nodeDisk): Holder | undefined {
  try {
    return schema.parse(JSON.parse(disk.readFileSync(lockNotePath(lock))));
  } catch {
    return undefined;
  }
}

export function writeLockNote(disk: Disk, lock: string, note: Holder): void {
  const path = lockNotePath(lock);
  const temporary = temporaryBeside(disk, path);
  try {
    disk.writeFileSync(temporary, `${JSON.stringify(note)}\n`);
    disk.renameSync(temporary, path);
  } catch (error) {
    disk.rmSync(temporary);
    throw ioError(error, path, "write");
  } finally {
    releaseTemporary(disk, temporary);
  }
}

export function removeLockNote(disk: Disk, lock: string): void {
  disk.rmSync(lockNotePath(lock));
}
