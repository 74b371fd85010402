import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open, readlink, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { makeFolder, syncFolder } from "./folder.ts";
import { ioError } from "./io-error.ts";
import { errno, isMissing } from "../store-error.ts";
import { statOrNothing } from "./stat.ts";
import { releaseTemporary, temporaryBeside } from "./temporary.ts";

export { ensureWritableFolder } from "./folder.ts";

export interface WriteOptions {
  /** For a new file; an existing one keeps its own. */
  readonly mode?: number;
  /** For the crash suite. */
  readonly reached?: (point: "before-rename" | "after-rename") => void | Promise<void>;
}

/** Large content comes in pieces, so that it is never in memory as a whole. */
export type Content = string | Iterable<string> | AsyncIterable<Buffer>;

/**
 * Replaces a file so that, whatever happens, a reader finds the old content or the new one, and the new one is
 * durable when the promise resolves: temporary file beside it, write, fsync, rename, fsync of the folder.
 * A symbolic link stays a link: its target is replaced.
 */
export async function writeAtomic(path: string, data: Content, options: WriteOptions = {}): Promise<void> {
  try {
    const target = await targetOf(path);
    const existing = await statOrNothing(path);
    const content = typeof data === "object" && Symbol.iterator in data ? inChunks(data) : data;
    if (existing !== undefined && !existing.isFile() && !existing.isDirectory()) {
      await writeFile(path, content); // a terminal, a pipe, a device: to be written to, never to be replaced
      return;
    }
    await makeFolder(dirname(target));
    await replace(target, content, existing, options);
  } catch (error) {
    throw ioError(error, path, "write");
  }
}

async function replace(
  target: string,
  content: Content,
  existing: Stats | undefined,
  options: WriteOptions,
): Promise<void> {
  const temporary = temporaryBeside(target);
  try {
    const handle = await open(temporary, "wx", options.mode ?? 0o666);
    try {
      await handle.writeFile(content);
      if (existing !== undefined) await keepOwnership(handle, existing);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await options.reached?.("before-rename");
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    releaseTemporary(temporary);
  }
  await options.reached?.("after-rename");
  await syncFolder(dirname(target));
}

async function keepOwnership(handle: FileHandle, existing: Stats): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid !== existing.uid || gid !== existing.gid) {
    await handle.chown(existing.uid, existing.gid).catch(() => undefined); // only root may; nobody else needs it
  }
  await handle.chmod(existing.mode & 0o7777);
}

/** Where the content goes: the end of the chain of links, also when there is nothing there yet. */
async function targetOf(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error) || links > 40) throw error;
  }
  try {
    return await targetOf(resolve(dirname(path), await readlink(path)), links + 1);
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
