import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomic } from "./atomic-file.ts";
import { ioError } from "./io-error.ts";
import { JournalScan } from "./journal-scan.ts";
import { readLines } from "./lines.ts";
import { isMissing, StoreError } from "./store-error.ts";

/**
 * Keeps the records of the journal for a rollback, in `<runs folder>/<run>.ndjson`, before the journal restarts.
 * The archive is a journal itself: `readJournal` reads it. The whole journal is kept, because a run that went on
 * with an interrupted one answers for its intents as well. Doing it again after a crash changes nothing; records
 * of a later part of the same run are added. False when there was nothing to keep.
 */
export async function archiveJournal(journalPath: string, runsFolder: string, run: string): Promise<boolean> {
  const archivePath = join(runsFolder, `${fileName(run, runsFolder)}.ndjson`);
  try {
    const { recordsFrom, end } = await measure(journalPath);
    if (end === recordsFrom) return false;
    const size = await sizeOf(archivePath);
    if (size > 0 && (await same(archivePath, size - (end - recordsFrom), journalPath, recordsFrom, end)))
      return true;
    const begunHere = size > 0 && size <= end && (await same(journalPath, 0, archivePath, 0, size));
    const content =
      size === 0 || begunHere
        ? bytesOf(journalPath, 0, end)
        : concatenate(bytesOf(archivePath, 0, size), bytesOf(journalPath, recordsFrom, end));
    await writeAtomic(archivePath, content, { mode: 0o600 });
    return true;
  } catch (error) {
    throw ioError(error, archivePath, "write");
  }
}

function fileName(run: string, runsFolder: string): string {
  if (/^[A-Za-z0-9][\w.-]*$/.test(run)) return run;
  throw new StoreError(
    "bad-name",
    runsFolder,
    `the run ${JSON.stringify(run)} cannot name a file`,
    "Use another run.",
  );
}

/** Where the records of a journal begin and end, without a torn tail. */
async function measure(path: string): Promise<{ recordsFrom: number; end: number }> {
  const scan = new JournalScan(path);
  let size = 0;
  for await (const { chunk, lines } of readLines(path)) {
    size += chunk.length;
    for (const line of lines) scan.feed(line);
  }
  const end = scan.finish() ?? size;
  return { recordsFrom: scan.recordsFrom, end };
}

/** Whether the bytes of one file from an offset on are those of another from `begin` to `end`. */
async function same(
  one: string,
  offset: number,
  other: string,
  begin: number,
  end: number,
): Promise<boolean> {
  if (offset < 0) return false;
  const pieces = bytesOf(one, offset, offset + end - begin)[Symbol.asyncIterator]();
  for await (const expected of bytesOf(other, begin, end)) {
    const { value } = await pieces.next();
    if (!(value instanceof Buffer) || !value.equals(expected)) return false;
  }
  return true;
}

/** From an offset up to, not including, another; in pieces of the same size whatever the file. */
function bytesOf(path: string, begin: number, end: number): AsyncIterable<Buffer> {
  return createReadStream(path, { start: begin, end: Math.max(begin, end - 1), highWaterMark: 1 << 20 });
}

async function* concatenate(...parts: readonly AsyncIterable<Buffer>[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* part;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
