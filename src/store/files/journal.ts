import type { JournalRecord } from "../../model/journal.ts";
import type { Parties } from "../../model/mapping.ts";
import { writeAtomic } from "./atomic-file.ts";
import type { Disk, DiskFile } from "./disk.ts";
import type { StoreHooks } from "../hooks.ts";
import { ioError } from "./io-error.ts";
import { newHeader, renewed } from "./journal-header.ts";
import { LineEncoder } from "./journal-line.ts";
import { rewritten } from "./journal-rewrite.ts";
import { JournalScan } from "./journal-scan.ts";
import type { Journal } from "../store.ts";
import { JournalWriter } from "./journal-writer.ts";
import { piecesOf, readLines } from "./lines.ts";
import { nodeDisk } from "./node-disk.ts";
import { statOrNothing } from "./stat.ts";

export interface JournalOptions {
  /** Name and version of the tool, for the header. */
  readonly tool: string;
  readonly parties: Parties;
  readonly hooks?: StoreHooks;
  readonly disk?: Disk;
  /** Given, it gets the records one by one and none is kept in memory: `records` is empty then. */
  readonly replay?: (record: JournalRecord) => void;
}

export interface OpenedJournal {
  readonly records: readonly JournalRecord[];
  readonly journal: Journal;
  /** What a killed run or a power loss left half-written at the end, and was cut; nobody had relied on it. */
  readonly cut?: { readonly bytes: number };
}

/**
 * Opens the journal to go on with it, and creates it when there is none. Hold the lock: two writers would mix
 * their lines. Every record given back is durable, also when it was only in the system's cache before.
 */
export async function openJournal(path: string, options: JournalOptions): Promise<OpenedJournal> {
  const { tool, parties, hooks, disk = nodeDisk } = options;
  try {
    const names = (await statOrNothing(disk, path))?.nlink;
    if (names === undefined)
      await writeAtomic(path, rewritten(disk, newHeader(tool, parties), []), { mode: 0o600, disk });
    // A second name is an archive's (see `archiveJournal`): what is appended from here on is not meant for it.
    else if (names > 1) await writeAtomic(path, piecesOf(disk, path), { disk });
    const records: JournalRecord[] = [];
    const replay = options.replay ?? ((record: JournalRecord) => void records.push(record));
    const scan = new JournalScan(path, parties);
    for await (const record of scanLines(disk, path, scan)) replay(record);
    const tornAt = scan.finish();
    const before = (await disk.stat(path)).size;
    const encoder = await madeReady(disk, path, scan);
    const handle = await openDurable(disk, path);
    const { size: bytes } = await handle.stat();
    const journal = new JournalWriter({ disk, path, handle, bytes, encoder, tool, parties, hooks });
    return tornAt === undefined
      ? { records, journal }
      : { records, journal, cut: { bytes: before - tornAt } };
  } catch (error) {
    throw ioError(error, path, "write");
  }
}

/** Leaves a file that ends with a whole line and is one chain as this version writes it, for lines to be added. */
async function madeReady(disk: Disk, path: string, scan: JournalScan): Promise<LineEncoder> {
  if (scan.isOutdated && scan.header !== undefined) {
    const encoder = new LineEncoder();
    await writeAtomic(path, rewritten(disk, renewed(scan.header), [path], encoder), { disk });
    return encoder;
  }
  const tornAt = scan.finish();
  if (tornAt !== undefined) await disk.truncate(path, tornAt);
  return new LineEncoder(scan.checksum);
}

/**
 * Reads the records without changing the file, also while another run appends to it: a torn tail is ignored.
 * No file means no records.
 */
export async function* readJournal(
  path: string,
  options: { readonly parties?: Parties; readonly disk?: Disk } = {},
): AsyncGenerator<JournalRecord, void, void> {
  const { parties, disk = nodeDisk } = options;
  const scan = new JournalScan(path, parties);
  try {
    if ((await statOrNothing(disk, path)) === undefined) return;
    yield* scanLines(disk, path, scan);
    scan.finish();
  } catch (error) {
    throw ioError(error, path, "read");
  }
}

async function* scanLines(
  disk: Disk,
  path: string,
  scan: JournalScan,
): AsyncGenerator<JournalRecord, void, void> {
  for await (const { lines } of readLines(disk, path)) {
    for (const line of lines) {
      const record = scan.feed(line);
      if (record !== undefined) yield record;
    }
  }
}

/** What was read may be in the system's cache only, and is about to be relied on: it is synced first. */
async function openDurable(disk: Disk, path: string): Promise<DiskFile> {
  const handle = await disk.open(path, "a");
  try {
    await handle.sync();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
