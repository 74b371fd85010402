import { dirname, resolve } from "node:path";
import type { Content, Disk, DiskFile, DiskStat } from "./disk.ts";
import { makeFolder } from "./folder.ts";
import { ioError, notSynced } from "./io-error.ts";
import { nodeDisk } from "./node-disk.ts";
import { errno, isMissing } from "../store-error.ts";
import { statOrNothing } from "./stat.ts";
import { releaseTemporary, temporaryBeside } from "./temporary.ts";

export interface WriteOptions {
  /** For a new file; an existing one keeps its own. */
  readonly mode?: number;
  /** For the file whether it is new or not, before anything stands in its place. */
  readonly permissions?: number;
  readonly disk?: Disk;
  /** Hears of the file once it is durable and before it has its name: another name may be given to it. */
  readonly unnamed?: (file: string) => Promise<void>;
  /** For the crash suite. */
  readonly reached?: (point: "before-rename" | "after-rename") => void | Promise<void>;
}

/**
 * Replaces a file so that, whatever happens, a reader finds the old content or the new one, and the new one is
 * durable when the promise resolves: temporary file beside it, write, fsync, rename, fsync of the folder.
 * A symbolic link stays a link: its target is replaced.
 */
export async function writeAtomic(path: string, data: Content, options: WriteOptions = {}): Promise<void> {
  const { disk = nodeDisk } = options;
  try {
    const target = await targetOf(disk, path);
    const existing = await statOrNothing(disk, path);
    const content = typeof data === "object" && Symbol.iterator in data ? inChunks(data) : data;
    if (existing !== undefined && !existing.isFile() && !existing.isDirectory()) {
      // A terminal, a pipe, a device: to be written to, never to be replaced.
      await fill(await disk.open(path, "w"), content);
      return;
    }
    await makeFolder(disk, dirname(target));
    await replace(disk, { path, target }, content, existing, options);
  } catch (error) {
    throw ioError(error, path, "write");
  }
}

async function replace(
  disk: Disk,
  { path, target }: { readonly path: string; readonly target: string },
  content: Content,
  existing: DiskStat | undefined,
  options: WriteOptions,
): Promise<void> {
  const temporary = temporaryBeside(disk, target);
  try {
    await fill(
      await disk.open(temporary, "wx", options.permissions ?? options.mode ?? 0o666),
      content,
      async (file) => {
        if (existing !== undefined) await keepOwnership(file, existing);
        if (options.permissions !== undefined) await file.chmod(options.permissions);
        await file.sync();
      },
    );
    await options.unnamed?.(temporary);
    await options.reached?.("before-rename");
    await disk.rename(temporary, target);
  } catch (error) {
    await disk.rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    releaseTemporary(disk, temporary);
  }
  await options.reached?.("after-rename");
  try {
    await disk.syncFolder(dirname(target));
  } catch (error) {
    throw notSynced(error, path, "written");
  }
}

async function fill(
  file: DiskFile,
  content: Content,
  after?: (file: DiskFile) => Promise<void>,
): Promise<void> {
  try {
    await file.writeFile(content);
    await after?.(file);
  } finally {
    await file.close();
  }
}

async function keepOwnership(file: DiskFile, existing: DiskStat): Promise<void> {
  const { uid, gid } = await file.stat();
  if (uid !== existing.uid || gid !== existing.gid) {
    await file.chown(existing.uid, existing.gid).catch(() => undefined); // only root may; nobody else needs it
  }
  await file.chmod(existing.mode & 0o7777);
}

/** Where the content goes: the end of the chain of links, also when there is nothing there yet. */
async function targetOf(disk: Disk, path: string, links = 0): Promise<string> {
  try {
    return await disk.realpath(path);
  } catch (error) {
    if (!isMissing(error) || links > 40) throw error;
  }
  try {
    return await targetOf(disk, resolve(dirname(path), await disk.readlink(path)), links + 1);
  } catch (error) {
    if (isMissing(error) || errno(error) === "EINVAL") return path;
    throw error;
  }
}

/** Few writes for many short strings, and never the whole file as one string. */
function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length >= 65_536) {
      yield chunk;
      chunk = "";
    }
  }
  yield chunk;
}
