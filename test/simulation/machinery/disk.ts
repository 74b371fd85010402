import { basename, dirname } from "node:path";
import type {
  Content,
  Disk,
  DiskFile,
  DiskFileSync,
  DiskLock,
  DiskStat,
} from "../../../src/store/files/disk.ts";
import type { FileNode, FolderNode, Media, Node } from "./media.ts";
import type { Machine, Simulation } from "./simulation.ts";

/** What goes wrong with a disk for a while: the calls that it befalls, and what the system says. */
export interface DiskFault {
  readonly calls: "write" | "sync" | "rename" | "open" | "any";
  readonly code: "ENOSPC" | "EIO" | "EROFS" | "EACCES";
  /** Lets the first ones through. */
  readonly skip: number;
  readonly times: number;
}

/** Who holds a lock; freed when its holder dies. */
export class Locks {
  readonly #held = new Map<string, Machine>();

  take(path: string, machine: Machine): DiskLock | undefined {
    const holder = this.#held.get(path);
    if (holder?.alive === true) return undefined;
    this.#held.set(path, machine);
    return {
      release: () => {
        if (this.#held.get(path) === machine) this.#held.delete(path);
      },
    };
  }

  holder(path: string): Machine | undefined {
    const holder = this.#held.get(path);
    return holder?.alive === true ? holder : undefined;
  }

  isHeld(machine: Machine): boolean {
    return machine.alive && [...this.#held.values()].includes(machine);
  }
}

interface Parts {
  readonly media: Media;
  readonly locks: Locks;
  readonly simulation: Simulation;
  readonly machine: Machine;
  /** Looks at what there is without taking time, and is never refused. */
  readonly isObserver: boolean;
  readonly faults: readonly DiskFault[];
  readonly onFault: (fault: string) => void;
}

/**
 * The disk of one process. What it reads is there at once; what it changes takes its time, and a process that dies
 * meanwhile has changed it or not.
 */
export class SimulatedDisk implements Disk {
  readonly #parts: Parts;
  readonly #seen = new Map<DiskFault, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async open(path: string, flags: "r" | "a" | "wx" | "w", mode = 0o666): Promise<DiskFile> {
    this.#refuse("open", path);
    if (flags === "r") {
      const node = this.#node(path, "open");
      if (node.type === "folder") throw failure("EISDIR", "open", path);
      return new OpenFile(this, node);
    }
    const there = this.#find(path);
    if (flags === "wx" && there !== undefined) throw failure("EEXIST", "open", path);
    if (there === undefined) await this.#takeTime("open", path);
    const node = this.#find(path) ?? this.#create(path, mode);
    if (node.type === "folder") throw failure("EISDIR", "open", path);
    if (flags === "w") node.data = Buffer.alloc(0);
    return new OpenFile(this, node);
  }

  async stat(path: string): Promise<DiskStat> {
    return this.statOf(this.#node(path, "stat"));
  }

  async readFile(path: string): Promise<string> {
    this.#refuse("open", path);
    return this.readFileSync(path);
  }

  async readdir(path: string): Promise<readonly string[]> {
    return [...this.#folder(path, "scandir").names.keys()].sort();
  }

  async mkdir(path: string): Promise<void> {
    this.#refuse("open", path);
    await this.#takeTime("mkdir", path);
    this.mkdirSync(path);
  }

  async rename(from: string, to: string): Promise<void> {
    this.#refuse("rename", from);
    await this.#takeTime("rename", `${from} ${basename(to)}`);
    this.renameSync(from, to);
  }

  async rm(
    path: string,
    options: { readonly recursive?: boolean; readonly force?: boolean } = {},
  ): Promise<void> {
    const node = this.#find(path);
    if (node === undefined) {
      if (options.force === true) return;
      throw failure("ENOENT", "rm", path);
    }
    if (node.type === "folder" && options.recursive !== true) throw failure("EISDIR", "rm", path);
    await this.#takeTime("rm", path);
    const name = basename(path);
    this.#parts.media.change(this.#folder(dirname(path), "rm"), (names) => names.delete(name));
  }

  async link(existing: string, path: string): Promise<void> {
    this.#refuse("rename", path);
    await this.#takeTime("link", path);
    const node = this.#node(existing, "link");
    const folder = this.#folder(dirname(path), "link");
    const name = basename(path);
    if (folder.names.has(name)) throw failure("EEXIST", "link", path);
    this.#parts.media.change(folder, (names) => names.set(name, node));
  }

  async realpath(path: string): Promise<string> {
    this.#node(path, "realpath");
    return path;
  }

  async readlink(path: string): Promise<string> {
    this.#node(path, "readlink");
    throw failure("EINVAL", "readlink", path);
  }

  async truncate(path: string, length: number): Promise<void> {
    this.#refuse("write", path);
    await this.#takeTime("truncate", path);
    const node = this.#file(path, "truncate");
    node.data = node.data.subarray(0, length);
  }

  async syncFolder(path: string): Promise<void> {
    this.#refuse("sync", path);
    const folder = this.#folder(path, "open");
    await this.#takeTime("sync folder", path);
    this.#parts.media.sync(folder);
  }

  existsSync(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  mkdirSync(path: string): void {
    const parent = this.#folder(dirname(path), "mkdir");
    const name = basename(path);
    if (parent.names.has(name)) throw failure("EEXIST", "mkdir", path);
    const folder = this.#parts.media.folder();
    this.#parts.media.change(parent, (names) => names.set(name, folder));
  }

  openSync(path: string, flags: "r" | "a+"): DiskFileSync {
    this.#refuse("open", path);
    const node = this.#find(path) ?? (flags === "a+" ? this.#create(path, 0o666) : this.#node(path, "open"));
    if (node.type === "folder") throw failure("EISDIR", "open", path);
    return {
      size: () => node.data.length,
      read: (buffer, offset, length, position) =>
        node.data.copy(buffer, offset, position, Math.min(node.data.length, position + length)),
      append: (bytes) => this.append(node, bytes),
      close: () => undefined,
    };
  }

  readFileSync(path: string): string {
    const node = this.#node(path, "open");
    if (node.type === "folder") throw failure("EISDIR", "read", path);
    return node.data.toString("utf8");
  }

  writeFileSync(path: string, content: string): void {
    this.#refuse("write", path);
    if (this.#find(path) !== undefined) throw failure("EEXIST", "open", path);
    this.append(this.#create(path, 0o666), Buffer.from(content));
  }

  renameSync(from: string, to: string): void {
    const node = this.#node(from, "rename");
    const { media } = this.#parts;
    const [source, target] = [this.#folder(dirname(from), "rename"), this.#folder(dirname(to), "rename")];
    const [before, after] = [basename(from), basename(to)];
    const replaced = target.names.get(after);
    if (replaced?.type === "folder" && replaced.names.size > 0) throw failure("ENOTEMPTY", "rename", from);
    if (replaced?.type === "file" && node.type === "folder") throw failure("ENOTDIR", "rename", from);
    if (replaced?.type === "folder" && node.type === "file") throw failure("EISDIR", "rename", from);
    if (source !== target) throw new Error("a rename from folder to folder is not simulated");
    media.change(source, (names) => {
      names.delete(before);
      names.set(after, node);
    });
  }

  rmSync(path: string): void {
    if (this.#find(path) === undefined) return;
    const name = basename(path);
    this.#parts.media.change(this.#folder(dirname(path), "rm"), (names) => names.delete(name));
  }

  lock(path: string): DiskLock | undefined {
    const { locks, machine } = this.#parts;
    if (this.#find(path) === undefined) this.#create(path, 0o644);
    return locks.take(path, machine);
  }

  isLocked(path: string): boolean {
    return this.#parts.locks.holder(path) !== undefined;
  }

  // ---- for the files that it opened

  statOf(node: Node): DiskStat {
    const { media } = this.#parts;
    return {
      isFile: () => node.type === "file",
      isDirectory: () => node.type === "folder",
      size: node.type === "file" ? node.data.length : 0,
      dev: 1,
      ino: node.ino,
      // Looked for only where somebody asks.
      get nlink() {
        return media.links(node);
      },
      mode: node.type === "file" ? node.mode : 0o755,
      uid: 0,
      gid: 0,
    };
  }

  append(node: FileNode, bytes: Buffer): void {
    this.#parts.media.append(node, bytes);
  }

  async appendTo(node: FileNode, bytes: Buffer): Promise<void> {
    const fault = this.#fault("write");
    // A disk that runs full takes a part of it.
    if (fault !== undefined && bytes.length > 0) this.append(node, bytes.subarray(0, bytes.length >> 1));
    if (fault !== undefined) throw failure(fault, "write", "");
    const before = node.data.length;
    this.append(node, bytes);
    await this.#takeTime("write", `${bytes.length} at ${before}`);
  }

  async syncFile(node: FileNode): Promise<void> {
    this.#refuse("sync", "");
    // What is written while it syncs is not meant.
    const { data } = node;
    await this.#takeTime("sync", `${data.length}`);
    node.durable = data;
  }

  // ---- names

  #find(path: string): Node | undefined {
    return this.#parts.media.find(path);
  }

  #node(path: string, call: string): Node {
    const node = this.#find(path);
    if (node === undefined) throw failure("ENOENT", call, path);
    return node;
  }

  #folder(path: string, call: string): FolderNode {
    const node = this.#node(path, call);
    if (node.type === "file") throw failure("ENOTDIR", call, path);
    return node;
  }

  #file(path: string, call: string): FileNode {
    const node = this.#node(path, call);
    if (node.type === "folder") throw failure("EISDIR", call, path);
    return node;
  }

  #create(path: string, mode: number): FileNode {
    const folder = this.#folder(dirname(path), "open");
    const file = this.#parts.media.file(mode);
    const name = basename(path);
    this.#parts.media.change(folder, (names) => names.set(name, file));
    return file;
  }

  // ---- time and trouble

  async #takeTime(call: string, what: string): Promise<void> {
    const { simulation, isObserver, machine } = this.#parts;
    if (isObserver) return;
    if (!machine.alive) return new Promise(() => undefined);
    const most = call.startsWith("sync") ? 8 : 1;
    await simulation.wait(0.05 + simulation.random.fraction() * most, `disk ${call} ${what}`);
  }

  #refuse(call: Exclude<DiskFault["calls"], "any">, path: string): void {
    const code = this.#fault(call);
    if (code !== undefined) throw failure(code, call === "sync" ? "fsync" : call, path);
  }

  #fault(call: DiskFault["calls"]): string | undefined {
    const { isObserver, faults, onFault } = this.#parts;
    if (isObserver) return undefined;
    for (const fault of faults) {
      if (fault.calls !== "any" && fault.calls !== call) continue;
      const seen = (this.#seen.get(fault) ?? 0) + 1;
      this.#seen.set(fault, seen);
      if (seen <= fault.skip || seen > fault.skip + fault.times) continue;
      onFault(`the disk says ${fault.code} to a ${call}`);
      return fault.code;
    }
    return undefined;
  }
}

class OpenFile implements DiskFile {
  readonly #disk: SimulatedDisk;
  readonly #node: FileNode;
  #position = 0;

  constructor(disk: SimulatedDisk, node: FileNode) {
    this.#disk = disk;
    this.#node = node;
  }

  async read(buffer: Buffer, offset: number, length: number): Promise<{ readonly bytesRead: number }> {
    const { data } = this.#node;
    const end = Math.min(data.length, this.#position + length);
    const bytesRead = data.copy(buffer, offset, this.#position, end);
    this.#position += bytesRead;
    return { bytesRead };
  }

  async writeFile(content: Content): Promise<void> {
    if (typeof content === "string") return this.#disk.appendTo(this.#node, Buffer.from(content));
    for await (const piece of content) await this.#disk.appendTo(this.#node, Buffer.from(piece));
  }

  appendFile(content: Buffer): Promise<void> {
    return this.#disk.appendTo(this.#node, content);
  }

  sync(): Promise<void> {
    return this.#disk.syncFile(this.#node);
  }

  datasync(): Promise<void> {
    return this.#disk.syncFile(this.#node);
  }

  async stat(): Promise<DiskStat> {
    return this.#disk.statOf(this.#node);
  }

  async chown(): Promise<void> {}

  async chmod(mode: number): Promise<void> {
    this.#node.mode = mode;
  }

  async close(): Promise<void> {}
}

function failure(code: string, call: string, path: string): Error {
  // Nobody reads where it was made, and that is what makes an error dear.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(`${code}: simulated, ${call} '${path}'`);
  Error.stackTraceLimit = stackTraceLimit;
  return Object.assign(error, { code, syscall: call, path });
}
