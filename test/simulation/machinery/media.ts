import type { Random } from "../../../src/emulator/random.ts";

/** What a disk holds: a file as it is, and as it would be found after a power loss. */
export interface FileNode {
  readonly type: "file";
  readonly ino: number;
  data: Buffer;
  /** What stands behind `data`, up to here: nobody has seen what comes after that. */
  room: Buffer;
  filled: number;
  /** What was synced last. */
  durable: Buffer;
  mode: number;
}

export interface FolderNode {
  readonly type: "folder";
  readonly ino: number;
  names: Map<string, Node>;
  /** As they were when the folder was synced last. */
  durable: Map<string, Node>;
  /** What was done to the names since; after a power loss only so many of them have happened. */
  pending: ((names: Map<string, Node>) => void)[];
}

export type Node = FileNode | FolderNode;

/** Blocks of this size reach the disk whole or not at all. */
const block = 512;

/** The disk that outlives the processes which use it: it keeps what was synced, and of the rest whatever chance leaves. */
export class Media {
  readonly root: FolderNode;
  #ino = 1;

  constructor() {
    this.root = this.folder();
  }

  file(mode: number): FileNode {
    const empty = Buffer.alloc(0);
    const ino = (this.#ino += 1);
    return { type: "file", ino, data: empty, room: empty, filled: 0, durable: empty, mode };
  }

  folder(): FolderNode {
    const ino = (this.#ino += 1);
    return { type: "folder", ino, names: new Map(), durable: new Map(), pending: [] };
  }

  /** What has that path, from the root on. */
  find(path: string): Node | undefined {
    let node: Node = this.root;
    for (let from = 0; from < path.length;) {
      const slash = path.indexOf("/", from);
      const end = slash === -1 ? path.length : slash;
      if (end > from) {
        if (node.type === "file") return undefined;
        const next = node.names.get(path.slice(from, end));
        if (next === undefined) return undefined;
        node = next;
      }
      from = end + 1;
    }
    return node;
  }

  /** What was found of a file before stays as it was: what is written comes behind all that ever was in its place. */
  append(file: FileNode, bytes: Buffer): void {
    const { data } = file;
    const size = data.length + bytes.length;
    if (file.filled !== data.length || size > file.room.length) {
      // A file that is written to again is one that grows.
      file.room = Buffer.allocUnsafe(data.length === 0 ? size : 2 * size);
      data.copy(file.room);
    }
    bytes.copy(file.room, data.length);
    file.filled = size;
    file.data = file.room.subarray(0, size);
  }

  /** Does it to the names of a folder; it is durable when the folder was synced. */
  change(folder: FolderNode, what: (names: Map<string, Node>) => void): void {
    what(folder.names);
    folder.pending.push(what);
  }

  sync(folder: FolderNode): void {
    folder.durable = new Map(folder.names);
    folder.pending = [];
  }

  /** Somebody deletes a folder. */
  forget(path: string): void {
    for (const [found, folder] of this.namedFolders()) {
      if (!path.startsWith(`${found}/`) || path.slice(found.length + 1).includes("/")) continue;
      this.change(folder, (names) => names.delete(path.slice(found.length + 1)));
    }
  }

  /** How many names a file has. */
  links(node: Node): number {
    let count = 0;
    for (const folder of this.folders())
      for (const found of folder.names.values()) if (found === node) count += 1;
    return count;
  }

  /** The power is gone: what was not synced is there in part, or not at all. */
  lose(random: Random): string {
    let lost = 0;
    const files = new Set<FileNode>();
    for (const folder of this.allFolders()) {
      const survivors = surviving(folder.pending, random);
      lost += folder.pending.length - survivors.length;
      const names = new Map(folder.durable);
      for (const what of survivors) what(names);
      folder.names = names;
      folder.durable = new Map(names);
      folder.pending = [];
    }
    for (const folder of this.folders())
      for (const node of folder.names.values()) if (node.type === "file") files.add(node);
    for (const file of files) {
      if (file.data.equals(file.durable)) continue;
      lost += 1;
      file.data = torn(file, random);
      file.durable = file.data;
    }
    return `${lost} changes were not synced`;
  }

  /** As they are now, whatever becomes of them. */
  allFolders(): readonly FolderNode[] {
    return Array.from(this.folders());
  }

  *folders(from: FolderNode = this.root): Generator<FolderNode, void, void> {
    yield from;
    for (const node of from.names.values()) if (node.type === "folder") yield* this.folders(node);
  }

  *namedFolders(
    from: FolderNode = this.root,
    path = "",
  ): Generator<readonly [string, FolderNode], void, void> {
    yield [path, from];
    for (const [name, node] of from.names)
      if (node.type === "folder") yield* this.namedFolders(node, `${path}/${name}`);
  }

  *files(from: FolderNode = this.root, path = ""): Generator<readonly [string, FileNode], void, void> {
    for (const [name, node] of from.names) {
      if (node.type === "folder") yield* this.files(node, `${path}/${name}`);
      else yield [`${path}/${name}`, node];
    }
  }
}

/** In the order in which they were done, up to one of them; or, as not every file system keeps an order, any of them. */
function surviving<T>(pending: readonly T[], random: Random): readonly T[] {
  if (random.fraction() < 0.5) return pending.slice(0, below(random, pending.length + 1));
  return pending.filter(() => random.fraction() < 0.5);
}

/** What is found of a file that was written to and not synced. */
function torn({ data, durable }: FileNode, random: Random): Buffer {
  const isLonger = data.length > durable.length && data.subarray(0, durable.length).equals(durable);
  // It was written from its beginning, or cut: the one or the other is there.
  if (!isLonger) return random.fraction() < 0.5 ? durable : data;
  switch (below(random, 4)) {
    case 0:
      return durable;
    case 1:
      return data;
    case 2:
      return data.subarray(0, durable.length + below(random, data.length - durable.length + 1));
    default:
      return withHoles(data, durable.length, random);
  }
}

/** The size is the new one, and some blocks were never written. */
function withHoles(data: Buffer, from: number, random: Random): Buffer {
  const result = Buffer.from(data);
  for (let at = from; at < data.length;) {
    const end = Math.min(data.length, (Math.floor(at / block) + 1) * block);
    if (random.fraction() < 0.5) result.fill(0, at, end);
    at = end;
  }
  return result;
}

function below(random: Random, limit: number): number {
  return Math.floor(random.fraction() * limit);
}
