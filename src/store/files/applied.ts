import { dirname } from "node:path";
import { parseJson } from "../../model/json-text.ts";
import { isObject } from "../../model/json.ts";
import { withRoom } from "../../model/packed/room.ts";
import { Texts } from "../../model/packed/texts.ts";
import type { AppliedTree, AppliedTrees, TreeToKeep } from "../applied-trees.ts";
import { keptJson, largestTree } from "../applied-trees.ts";
import { writeAtomic } from "./atomic-file.ts";
import { Bytes } from "./bytes.ts";
import type { Disk, DiskFile } from "./disk.ts";
import { makeFolder } from "./folder.ts";
import { ioError } from "./io-error.ts";
import { statOrNothing } from "./stat.ts";

/**
 * `applied.ndjson`, beside the mapping: a line for each object that was brought to the target, the last one of an
 * object counts. A line is `[kind, source, print]`, a tab and the object. It is appended to as the run goes on and read
 * only when somebody has to be told what was applied last; losing it loses that and nothing else: a line that cannot be
 * read is none.
 */
export async function appendApplied(
  disk: Disk,
  path: string,
  trees: readonly TreeToKeep[],
  looked: Looked = { size: 0 },
): Promise<void> {
  const lines = trees.flatMap((tree) => {
    const { kind, source, print } = tree;
    const text = keptJson(tree);
    return text.length > largestTree ? [] : [`${JSON.stringify([kind, source, print])}\t${text}\n`];
  });
  if (lines.length === 0) return;
  try {
    await makeFolder(disk, dirname(path));
    const isNew = !disk.existsSync(path);
    const file = await disk.open(path, "a");
    try {
      await appendLines(file, lines);
      await file.datasync();
    } finally {
      await file.close();
    }
    if (isNew) await disk.syncFolder(dirname(path));
    await compact(disk, path, looked);
  } catch (error) {
    throw ioError(error, path, "write");
  }
}

async function appendLines(file: DiskFile, lines: readonly string[]): Promise<void> {
  let bytes = new Bytes();
  // A killed run may have left half a line.
  bytes.text("\n");
  for (const line of lines) {
    bytes.text(line);
    if (bytes.length < writtenAtOnce) continue;
    await bytes.appendTo(file);
    bytes = new Bytes();
  }
  if (bytes.length > 0) await bytes.appendTo(file);
}

const writtenAtOnce = 1 << 18;

/** From here on it is worth a look whether most of it is of yesterday. */
const compactedFrom = 32 * 1024 * 1024;

/** How large the file was when a process last looked through it: until it has doubled most of it cannot be of yesterday. */
export interface Looked {
  size: number;
}

async function compact(disk: Disk, path: string, looked: Looked): Promise<void> {
  const size = (await statOrNothing(disk, path))?.size ?? 0;
  if (size < compactedFrom || size < 2 * looked.size) return;
  const index = indexOf(disk, path);
  const isWorth = 2 * index.bytes <= size;
  if (isWorth) await writeAtomic(path, linesOf(disk, path, index), { disk });
  looked.size = isWorth ? index.bytes : size;
}

function* linesOf(disk: Disk, path: string, index: Index): Generator<string> {
  const file = disk.openSync(path, "r");
  try {
    for (const place of index.places()) yield `${textAt(file, place)}\n`;
  } finally {
    file.close();
  }
}

interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Where the last line of each object stands, outside of the heap: there may be a million of them. */
class Index {
  readonly #keys = new Texts();
  #offsets = new Float64Array(16);
  #lengths = new Uint32Array(16);

  /** Of all last lines. */
  get bytes(): number {
    let sum = 0;
    for (let number = 0; number < this.#keys.size; number += 1) sum += (this.#lengths[number] ?? 0) + 1;
    return sum;
  }

  set(kind: string, source: string, { offset, length }: Place): void {
    const number = this.#keys.add(keyOf(kind, source));
    this.#offsets = withRoom(this.#offsets, number);
    this.#lengths = withRoom(this.#lengths, number);
    this.#offsets[number] = offset;
    this.#lengths[number] = length;
  }

  get(kind: string, source: string): Place | undefined {
    const number = this.#keys.find(keyOf(kind, source));
    return number < 0 ? undefined : this.#at(number);
  }

  *places(): Generator<Place, void, undefined> {
    for (let number = 0; number < this.#keys.size; number += 1) yield this.#at(number);
  }

  #at(number: number): Place {
    return { offset: this.#offsets[number] ?? 0, length: this.#lengths[number] ?? 0 };
  }
}

/** No kind has a space in its name. */
function keyOf(kind: string, source: string): string {
  return `${kind} ${source}`;
}

type Open = ReturnType<Disk["openSync"]>;

/** The file is looked through when the first object is asked for. */
export function readApplied(disk: Disk, path: string): AppliedTrees {
  let index: Index | undefined;
  return {
    get(kind, source) {
      try {
        index ??= indexOf(disk, path);
        const place = index.get(kind, source);
        return place === undefined ? undefined : lineAt(disk, path, place);
      } catch (error) {
        throw ioError(error, path, "read");
      }
    },
  };
}

function lineAt(disk: Disk, path: string, place: Place): AppliedTree | undefined {
  const file = disk.openSync(path, "r");
  try {
    return parsed(textAt(file, place));
  } finally {
    file.close();
  }
}

const pieceSize = 1 << 20;
const lineFeed = 0x0a;
const tab = 0x09;

function indexOf(disk: Disk, path: string): Index {
  const index = new Index();
  if (!disk.existsSync(path)) return index;
  const file = disk.openSync(path, "r");
  try {
    const size = file.size();
    let room = Buffer.allocUnsafe(Math.min(size, pieceSize));
    /** What of a line was read before, at the beginning of `room`. */
    let held = 0;
    for (let at = 0; at < size;) {
      if (held === room.length) room = Buffer.concat([room], 2 * room.length);
      const count = file.read(room, held, room.length - held, at);
      if (count === 0) break;
      const bytes = room.subarray(0, held + count);
      const offset = at - held;
      at += count;
      let start = 0;
      for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
        note(index, bytes.subarray(start, end), offset + start);
        start = end + 1;
      }
      held = bytes.length - start;
      room.copyWithin(0, start, bytes.length);
    }
    return index;
  } finally {
    file.close();
  }
}

function note(index: Index, line: Buffer, offset: number): void {
  const at = line.indexOf(tab);
  if (at < 0) return;
  const [kind, source] = headOf(line.toString("utf8", 0, at)) ?? [];
  if (kind !== undefined && source !== undefined) index.set(kind, source, { offset, length: line.length });
}

function textAt(file: Open, { offset, length }: Place): string {
  const bytes = Buffer.alloc(length);
  const count = file.read(bytes, 0, length, offset);
  return bytes.toString("utf8", 0, count);
}

function headOf(text: string): readonly [string, string, string] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isHead =
      Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === "string");
    return isHead ? (value as unknown as readonly [string, string, string]) : undefined;
  } catch {
    return undefined;
  }
}

function parsed(line: string): AppliedTree | undefined {
  const at = line.indexOf("\t");
  const head = headOf(line.slice(0, at));
  try {
    const tree = parseJson(line.slice(at + 1));
    if (head === undefined || !isObject(tree)) return undefined;
    const [kind, source, print] = head;
    return { kind, source, print, tree };
  } catch {
    return undefined;
  }
}
