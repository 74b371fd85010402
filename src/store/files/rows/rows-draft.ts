import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { z } from "zod";
import type { JsonObject } from "../../../model/json.ts";
import { child } from "../../../model/json.ts";
import type { RowPrint } from "../../../model/row-print.ts";
import type { RowsDraft } from "../../rows.ts";
import type { StoreHooks } from "../../hooks.ts";
import { StoreError } from "../../store-error.ts";
import { Bytes } from "../bytes.ts";
import type { Disk, DiskFile } from "../disk.ts";
import { makeFolder } from "../folder.ts";
import { ioError } from "../io-error.ts";
import { readJsonFile, writeJsonFile } from "../json-file.ts";
import { piecesOf } from "../lines.ts";
import { statOrNothing } from "../stat.ts";
import { readRowsFile } from "./rows-file.ts";
import { lineOf, SortedLines } from "./sorted-lines.ts";

const pieceLength = 1 << 16;
const count = z.int().nonnegative();
const keptSchema = z.looseObject({
  format: z.literal(1),
  lines: count,
  prints: count,
  /** CRC-32 of the prints. */
  sum: count,
  state: z.looseObject({}),
});
type Kept = z.output<typeof keptSchema>;

export interface DraftPaths {
  readonly lines: string;
  readonly prints: string;
  /** How much of both counts: what stands behind that was written and not kept. */
  readonly kept: string;
  /** Whose place the lines take. */
  readonly whole: string;
}

/** `goOn`: with what was kept, where it is whole; otherwise with nothing. */
export async function openRowsDraft(
  disk: Disk,
  paths: DraftPaths,
  goOn: boolean,
  more: { readonly hooks?: StoreHooks | undefined; readonly held?: (lines: string) => void } = {},
): Promise<RowsDraft> {
  try {
    await makeFolder(disk, dirname(paths.lines));
    const found = goOn ? await wholeOf(disk, paths) : undefined;
    if (found === undefined) await removeDraft(disk, paths);
    else {
      await disk.truncate(paths.lines, found.kept.lines);
      await disk.truncate(paths.prints, found.kept.prints);
    }
    const files = [await disk.open(paths.lines, "a"), await disk.open(paths.prints, "a")] as const;
    return new FileRowsDraft(disk, paths, found, files, more);
  } catch (error) {
    throw ioError(error, paths.lines, "write");
  }
}

async function removeDraft(disk: Disk, { kept, lines, prints }: DraftPaths): Promise<void> {
  for (const path of [kept, lines, prints]) await disk.rm(path, { force: true });
}

interface Found {
  readonly kept: Kept;
  readonly state: JsonObject;
}

/** Undefined where a part of it is not there, or not as it was written: it is begun anew. */
async function wholeOf(disk: Disk, paths: DraftPaths): Promise<Found | undefined> {
  try {
    const kept = await readJsonFile(paths.kept, keptSchema, disk);
    const sizes = [await statOrNothing(disk, paths.lines), await statOrNothing(disk, paths.prints)];
    if ((sizes[0]?.size ?? -1) < kept.lines || (sizes[1]?.size ?? -1) < kept.prints) return undefined;
    if ((await sumOf(disk, paths.prints, kept.prints)) !== kept.sum) return undefined;
    // As it was read: a schema would put its fields in another order.
    return { kept, state: child(kept as unknown as JsonObject, "state") ?? {} };
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

async function sumOf(disk: Disk, path: string, length: number): Promise<number> {
  let [sum, left] = [0, length];
  for await (const piece of piecesOf(disk, path)) {
    const part = piece.subarray(0, left);
    sum = crc32(part, sum);
    left -= part.length;
    if (left === 0) break;
  }
  return sum;
}

/** Pieces that are written together. */
class Appender {
  readonly #path: string;
  readonly #file: DiskFile;
  #piece = new Bytes();
  /** Bytes of the file. */
  bytes: number;
  sum: number;

  constructor(path: string, file: DiskFile, bytes: number, sum: number) {
    this.#path = path;
    this.#file = file;
    this.bytes = bytes;
    this.sum = sum;
  }

  add(line: string): void | Promise<void> {
    this.#piece.text(line);
    return this.#piece.length >= pieceLength ? this.flush() : undefined;
  }

  async flush(): Promise<void> {
    const piece = this.#piece;
    const { length } = piece;
    if (length === 0) return;
    this.#piece = new Bytes();
    this.bytes += length;
    this.sum = crc32(piece.view(), this.sum);
    try {
      await piece.appendTo(this.#file);
    } catch (error) {
      throw ioError(error, this.#path, "write");
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

class FileRowsDraft implements RowsDraft {
  readonly kept: JsonObject | undefined;
  readonly #disk: Disk;
  readonly #paths: DraftPaths;
  readonly #lines: Appender;
  readonly #prints: Appender;
  readonly #hooks: StoreHooks | undefined;
  readonly #held: ((lines: string) => void) | undefined;
  #isOver = false;

  constructor(
    disk: Disk,
    paths: DraftPaths,
    found: Found | undefined,
    [lines, prints]: readonly [DiskFile, DiskFile],
    { hooks, held }: { readonly hooks?: StoreHooks | undefined; readonly held?: (lines: string) => void },
  ) {
    this.#hooks = hooks;
    this.#held = held;
    this.#disk = disk;
    this.#paths = paths;
    this.kept = found?.state;
    this.#lines = new Appender(paths.lines, lines, found?.kept.lines ?? 0, 0);
    this.#prints = new Appender(paths.prints, prints, found?.kept.prints ?? 0, found?.kept.sum ?? 0);
  }

  keptLines(): AsyncIterable<readonly JsonObject[]> {
    return readRowsFile(this.#disk, this.#paths.lines);
  }

  keptPrints(): Iterable<RowPrint> {
    return printsIn(this.#disk, this.#paths.prints);
  }

  add(row: JsonObject | string): void | Promise<void> {
    return this.#lines.add(`${typeof row === "string" ? row : JSON.stringify(row)}\n`);
  }

  addPrint(print: RowPrint): void | Promise<void> {
    return this.#prints.add(lineOf(print));
  }

  async keep(state: JsonObject): Promise<void> {
    const { kept } = this.#paths;
    try {
      await this.#lines.flush();
      await this.#prints.flush();
      await this.#hooks?.reached("comparison:before-keep");
      const { bytes: prints, sum } = this.#prints;
      await writeJsonFile(kept, { format: 1, lines: this.#lines.bytes, prints, sum, state }, this.#disk);
      await this.#hooks?.reached("comparison:after-keep");
    } catch (error) {
      throw ioError(error, kept, "write");
    }
  }

  async finish(): Promise<void> {
    const { lines, prints, kept, whole } = this.#paths;
    try {
      await this.#lines.flush();
      await this.abandon();
      // From here on there is nothing to go on with.
      await this.#disk.rm(kept, { force: true });
      this.#held?.(lines);
      await this.#hooks?.reached("comparison:before-rename");
      await this.#disk.rename(lines, whole);
      await this.#hooks?.reached("comparison:after-rename");
      await this.#disk.rm(prints, { force: true });
    } catch (error) {
      throw ioError(error, whole, "write");
    }
  }

  async abandon(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#lines.close();
    await this.#prints.close();
  }
}

function* printsIn(disk: Disk, path: string): Generator<RowPrint, void, undefined> {
  const prints = new SortedLines(disk, path);
  try {
    yield* prints;
  } finally {
    prints.close();
  }
}
