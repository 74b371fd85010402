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
export async function makeFolder(
  disk: Disk,
  path: string,
  /** Told of each that was made, and whose name is durable. */
  made: (folder: string) => void = () => {},
): Promise<void> {
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
    made(folder);
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

/** The same on the machine's own disk. */
export function makeFolders(path: string): void {
  makeFolderSync(nodeDisk, resolve(path));
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
 * The folders that a run writes in. What it has made durable it does not ask the disk for a second time: names of folders
 * that somebody makes meanwhile are his to make durable, and those that it makes itself are made so at once.
 */
export class Folders {
  readonly #disk: Disk;
  /** Those whose names are durable in the folders above them. */
  readonly #durable = new Set<string>();
  /** Devices that a block was written to. */
  readonly #written = new Set<number>();

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /**
   * Creates the folder and proves that it can be written, by doing it: the check before the first request that
   * changes the target, because what happens there must be recorded here. A disk is asked for room once.
   */
  async ensureWritable(path: string): Promise<void> {
    const disk = this.#disk;
    const at = resolve(path);
    try {
      await makeFolder(disk, at, (folder) => void this.#durable.add(folder));
      const { dev } = await disk.stat(at);
      await this.#probe(at, !this.#written.has(dev));
      this.#written.add(dev);
      await this.#syncName(at);
    } catch (error) {
      throw ioError(error, path, "write");
    }
    await this.#syncAbove(dirname(at));
  }

  /** `isWhole`: not only that a file can be made there, but also that what is in it can be kept. */
  async #probe(folder: string, isWhole: boolean): Promise<void> {
    const disk = this.#disk;
    const probe = temporaryBeside(disk, resolve(folder, "probe"));
    try {
      if (isWhole) await writeSynced(disk, probe, " ".repeat(4096)); // a block, so that a full disk shows
      else await (await disk.open(probe, "wx")).close();
    } finally {
      await disk.rm(probe, { force: true });
      releaseTemporary(disk, probe);
    }
    // Also what a process has made there that died before its name was durable: from now on it is relied on.
    await disk.syncFolder(folder);
  }

  /**
   * A folder that is there may have been made by a process that died before its name was durable, and with it all that
   * is kept in it would be lost. The ones further up are mostly somebody else's, and may be closed to us.
   */
  async #syncAbove(path: string): Promise<void> {
    for (let at = path; at !== dirname(at); at = dirname(at)) {
      try {
        await this.#syncName(at);
      } catch {
        return;
      }
    }
  }

  async #syncName(folder: string): Promise<void> {
    if (this.#durable.has(folder)) return;
    await this.#disk.syncFolder(dirname(folder));
    this.#durable.add(folder);
  }
}
