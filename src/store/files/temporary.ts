import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Temporary files and folders stand beside what they become, so that the rename stays within one file system:
 * `.<name>.<process id>-<random>.tmp`. The process id tells a leftover of a killed run from one in use.
 */
const pattern = /^\..+\.(\d+)-[0-9a-f]{12}\.tmp$/;
const inUse = new Set<string>();

export function temporaryBeside(path: string): string {
  const name = `.${basename(path)}.${process.pid}-${randomBytes(6).toString("hex")}.tmp`;
  inUse.add(name);
  return join(dirname(path), name);
}

/** Forgets a temporary path: it was renamed or removed. */
export function releaseTemporary(path: string): void {
  inUse.delete(basename(path));
}

/** Removes what killed runs left in a folder. Best effort: a leftover harms nobody. */
export async function sweepTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (isLeftover(name))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isLeftover(name: string): boolean {
  const pid = Number(pattern.exec(name)?.[1] ?? Number.NaN);
  if (Number.isNaN(pid) || inUse.has(name)) return false;
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
