import { existsSync, mkdirSync } from "node:fs";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ioError } from "./io-error.ts";
import { errno, isMissing } from "../store-error.ts";
import { releaseTemporary, temporaryBeside } from "./temporary.ts";

/** Makes renames and new names in a folder durable: without it a file may be gone after a power loss. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return; // folders cannot be opened there
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems do not know it; then there is nothing more that we can do.
    if (errno(error) !== "EINVAL" && errno(error) !== "ENOTSUP") throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Creates a folder with its parents, durably. Not with `mkdir`'s own `recursive`: Node 24 loops for ever in it
 * where the system refuses a folder with ENOENT although its parent is there (`/proc`).
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  let at = resolve(path);
  while (!(await isFolder(at))) {
    missing.push(at);
    at = dirname(at);
  }
  for (const folder of missing.reverse()) {
    await mkdir(folder).catch(async (error: unknown) => {
      if (errno(error) !== "EEXIST" || !(await isFolder(folder))) throw error; // somebody else may have been faster
    });
    await syncFolder(dirname(folder));
  }
}

/** Where there is no time to wait: for what need not be durable. */
export function makeFolderSync(path: string): void {
  if (existsSync(path)) return;
  makeFolderSync(dirname(resolve(path)));
  try {
    mkdirSync(path);
  } catch (error) {
    if (errno(error) !== "EEXIST") throw error;
  }
}

/** Any other thing of that name is an error. */
async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  await mkdir(path); // throws EEXIST, in the words of the system
  return true;
}

/** A new file, durable but for its name: sync the folder, too. */
export async function writeSynced(path: string, content: string): Promise<void> {
  const handle = await open(path, "wx");
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
export async function ensureWritableFolder(path: string): Promise<void> {
  try {
    await makeFolder(path);
    const probe = temporaryBeside(resolve(path, "probe"));
    try {
      await writeSynced(probe, " ".repeat(4096)); // a block, so that a full disk shows
    } finally {
      await rm(probe, { force: true });
      releaseTemporary(probe);
    }
    await syncFolder(path);
  } catch (error) {
    throw ioError(error, path, "write");
  }
}
