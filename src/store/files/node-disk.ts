import { isUtf8 } from "node:buffer";
import * as fs from "node:fs";
import { link, mkdir, open, readdir, readFile, readlink, realpath, rename } from "node:fs/promises";
import { rm, stat, truncate } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { errno, StoreError } from "../store-error.ts";
import { Bytes } from "./bytes.ts";
import type { Content, Disk, DiskFile, DiskFileSync, DiskStat } from "./disk.ts";
import { isLocked, lockFile } from "./node-lock.ts";

/** The disk of the machine that we run on. */
export const nodeDisk: Disk = {
  open: async (path, flags, mode) => new NodeFile(await open(path, flags, mode)),
  stat,
  readFile: readUtf8,
  readdir,
  mkdir: async (path) => {
    await mkdir(path);
  },
  rename,
  rm,
  link,
  realpath,
  readlink,
  truncate,
  syncFolder,

  existsSync: fs.existsSync,
  mkdirSync: (path) => {
    fs.mkdirSync(path);
  },
  openSync: (path, flags) => opened(fs.openSync(path, flags, 0o666)),
  readFileSync: (path) => fs.readFileSync(path, "utf8"),
  writeFileSync: (path, content) => fs.writeFileSync(path, content, { flag: "wx" }),
  renameSync: fs.renameSync,
  rmSync: (path) => fs.rmSync(path, { force: true }),

  lock: lockFile,
  isLocked: (path) => fs.existsSync(path) && isLocked(path),
};

/** A handle of Node's, which writes texts from a buffer that is used again. */
class NodeFile implements DiskFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  read(buffer: Buffer, offset: number, length: number): Promise<{ readonly bytesRead: number }> {
    return this.#handle.read(buffer, offset, length);
  }

  async writeFile(content: Content): Promise<void> {
    if (typeof content !== "string" && Symbol.asyncIterator in content)
      return await this.#handle.writeFile(content);
    const bytes = new Bytes();
    for (const piece of typeof content === "string" ? [content] : content) {
      bytes.clear();
      bytes.text(piece);
      await this.#handle.appendFile(bytes.view());
    }
    bytes.release();
  }

  appendFile(content: Buffer): Promise<void> {
    return this.#handle.appendFile(content);
  }

  sync(): Promise<void> {
    return this.#handle.sync();
  }

  datasync(): Promise<void> {
    return this.#handle.datasync();
  }

  stat(): Promise<DiskStat> {
    return this.#handle.stat();
  }

  chown(uid: number, gid: number): Promise<void> {
    return this.#handle.chown(uid, gid);
  }

  chmod(mode: number): Promise<void> {
    return this.#handle.chmod(mode);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function syncFolder(path: string): Promise<void> {
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

function opened(file: number): DiskFileSync {
  return {
    size: () => fs.fstatSync(file).size,
    read: (buffer, offset, length, position) => fs.readSync(file, buffer, offset, length, position),
    append: (bytes) => {
      for (let from = 0; from < bytes.length;) from += fs.writeSync(file, bytes, from);
    },
    close: () => fs.closeSync(file),
  };
}

/** What is of another encoding is not text with question marks in it: names that nobody has would be kept. */
async function readUtf8(path: string): Promise<string> {
  const bytes = await readFile(path);
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new StoreError(
    "bad-json",
    path,
    `${path} is not text in UTF-8`,
    "Save it as UTF-8, or restore it from version control or a backup.",
  );
}
