/**
 * All that the store wants of a file system, and nothing that it does not: whoever fills it decides what a disk is.
 * `node-disk.ts` is the machine's own; the simulator has one that forgets what was not synced.
 *
 * It behaves as the calls of POSIX do after which its members are named. What fails throws an error with the
 * system's code and call (`ENOSPC`, `write`). `Sync` in a name means, as in Node, that nobody waits.
 */
export interface Disk {
  open(path: string, flags: OpenFlags, mode?: number): Promise<DiskFile>;
  /** Follows symbolic links. */
  stat(path: string): Promise<DiskStat>;
  /** The whole of it, as UTF-8. */
  readFile(path: string): Promise<string>;
  readdir(path: string): Promise<readonly string[]>;
  /** One folder, whose parent is there. */
  mkdir(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options?: RemoveOptions): Promise<void>;
  /** One more name of a file. */
  link(existing: string, path: string): Promise<void>;
  realpath(path: string): Promise<string>;
  readlink(path: string): Promise<string>;
  truncate(path: string, length: number): Promise<void>;
  /** Makes durable which names are in a folder: without it a file that was made or renamed may be gone after a power loss. */
  syncFolder(path: string): Promise<void>;

  existsSync(path: string): boolean;
  mkdirSync(path: string): void;
  openSync(path: string, flags: "r" | "a+"): DiskFileSync;
  readFileSync(path: string): string;
  /** A new file. */
  writeFileSync(path: string, content: string): void;
  renameSync(from: string, to: string): void;
  /** No error when there is no such file. */
  rmSync(path: string): void;

  /**
   * Takes the lock of a path until it is released or its holder dies, whichever comes first; undefined when somebody
   * has it. The file that stands for it stays.
   */
  lock(path: string): DiskLock | undefined;
  /** Whether somebody has the lock of a path; undefined where that cannot be told. Takes nothing from anybody. */
  isLocked(path: string): boolean | undefined;
}

/** To read; to append, made when there is none; a new one; from its beginning. */
export type OpenFlags = "r" | "a" | "wx" | "w";

export interface RemoveOptions {
  /** With all that is in it. */
  readonly recursive?: boolean;
  /** No error when there is no such file. */
  readonly force?: boolean;
}

/** Large content comes in pieces, so that it is never in memory as a whole. */
export type Content = string | Iterable<string> | AsyncIterable<Buffer>;

export interface DiskFile {
  /** Goes on where the last read ended. */
  read(buffer: Buffer, offset: number, length: number): Promise<{ readonly bytesRead: number }>;
  writeFile(content: Content): Promise<void>;
  appendFile(content: Buffer): Promise<void>;
  /** Content and size, and what else the system knows of it. */
  sync(): Promise<void>;
  /** Content and size. */
  datasync(): Promise<void>;
  stat(): Promise<DiskStat>;
  chown(uid: number, gid: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  close(): Promise<void>;
}

export interface DiskFileSync {
  size(): number;
  /** How many bytes were read; 0 at the end of the file. */
  read(buffer: Buffer, offset: number, length: number, position: number): number;
  /** All of it, at the end of the file. */
  append(bytes: Buffer): void;
  close(): void;
}

export interface DiskStat {
  isFile(): boolean;
  isDirectory(): boolean;
  readonly size: number;
  readonly dev: number;
  readonly ino: number;
  /** How many names it has. */
  readonly nlink: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export interface DiskLock {
  release(): void;
}
