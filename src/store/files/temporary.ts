import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { Disk } from "./disk.ts";

/**
 * Temporary files and folders stand beside what they become, so that the rename stays within one file system:
 * `.<name>.<process id>-<random>.tmp`. The process id tells a leftover of a killed run from one in use.
 */
const pattern = /^\..+\.(\d+)-[0-9a-f]{12}\.tmp$/;
/** By the disk that they were made on. */
const inUse = new WeakMap<Disk, Set<string>>();

export function temporaryBeside(disk: Disk, path: string): string {
  const name = `.${basename(path)}.${process.pid}-${randomBytes(6).toString("hex")}.tmp`;
  const names = inUse.get(disk) ?? new Set();
  inUse.set(disk, names.add(name));
  return join(dirname(path), name);
}

/** Forgets a temporary path: it was renamed or removed. */
export function releaseTemporary(disk: Disk, path: string): void {
  inUse.get(disk)?.delete(basename(path));
}

/** Removes what killed runs left in a folder. Best effort: a leftover harms nobody. */
export async function sweepTemporaries(disk: Disk, folder: string): Promise<void> {
  const names = await disk.readdir(folder).catch(() => []);
  for (const name of names) {
    if (isLeftover(disk, name))
      await disk.rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isLeftover(disk: Disk, name: string): boolean {
  const pid = Number(pattern.exec(name)?.[1] ?? Number.NaN);
  if (Number.isNaN(pid) || inUse.get(disk)?.has(name) === true) return false;
  // In containers every run may have the same process id: a file of "ours" that we do not know is a leftover.
  return pid === process.pid || !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
