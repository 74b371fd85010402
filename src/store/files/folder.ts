import { dirname, resolve } from "node:path";
import type { Disk } from "./disk.ts";
import { ioError } from "./io-error.ts";
import { nodeDisk } from "./node-disk.ts";
import { errno, isMissing } from "../store-error.ts";
import { releaseTemporary, temporaryBeside } from "./temporary.ts";

/**
 * Creates a folder with its parents, durably. Not with `mkdir`'s own `recursive`: Node 24 loops for ever in it
 * where the system refuses a folder with ENOENT although its parent is there (`/proc`).
 */
export async function makeFolder(disk: Disk, path: string): Promise<void> {
  const missing: string[] = [];
  let at = resolve(path);
  while (!(await isFolder(disk, at))) {
    missing.push(at);
    at = dirname(at);
  }
  for (const folder of missing.reverse()) {
    await disk.mkdir(folder).catch(async (error: unknown) => {
      if (errno(error) !== "EEXIST" || !(await isFolder(disk, folder))) throw error; // somebody else may have been faster
    });
    await disk.syncFolder(dirname(folder));
  }
}

/** Where there is no time to wait: for what need not be durable. */
export function makeFolderSync(disk: Disk, path: string): void {
  if (disk.existsSync(path)) return;
  makeFolderSync(disk, dirname(resolve(path)));
  try {
    disk.mkdirSync(path);
  } catch (error) {
    if (errno(error) !== "EEXIST") throw error;
  }
}

/** Any other thing of that name is an error. */
async function isFolder(disk: Disk, path: string): Promise<boolean> {
  try {
    if ((await disk.stat(path)).isDirectory()) return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  await disk.mkdir(path); // throws EEXIST, in the words of the system
  return true;
}

/** A new file, durable but for its name: sync the folder, too. */
export async function writeSynced(disk: Disk, path: string, content: string): Promise<void> {
  const handle = await disk.open(path, "wx");
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates the folder and proves that it can be written, by doing it: the check before the first request that
 * changes the target, because what happens there must be recorded here.
 */
export async function ensureWritableFolder(path: string, disk: Disk = nodeDisk): Promise<void> {
  try {
    await makeFolder(disk, path);
    const probe = temporaryBeside(disk, resolve(path, "probe"));
    try {
      await writeSynced(disk, probe, " ".repeat(4096)); // a block, so that a full disk shows
    } finally {
      await disk.rm(probe, { force: true });
      releaseTemporary(disk, probe);
    }
    await disk.syncFolder(path);
    await disk.syncFolder(dirname(resolve(path)));
  } catch (error) {
    throw ioError(error, path, "write");
  }
  await syncAbove(disk, dirname(resolve(path)));
}

/**
 * A folder that is there may have been made by a process that died before its name was durable, and with it all that
 * is kept in it would be lost. The ones further up are mostly somebody else's, and may be closed to us.
 */
async function syncAbove(disk: Disk, path: string): Promise<void> {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    try {
      await disk.syncFolder(dirname(at));
    } catch {
      return;
    }
  }
}
