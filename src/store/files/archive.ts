import { createReadStream } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeAtomic } from "./atomic-file.ts";
import { makeFolder, syncFolder } from "./folder.ts";
import { ioError } from "./io-error.ts";
import { JournalScan } from "./journal-scan.ts";
import { readLines } from "./lines.ts";
import { statOrNothing } from "./stat.ts";
import { errno, StoreError } from "../store-error.ts";

/**
 * Keeps the records of the journal for a rollback, in `<runs folder>/<run>.ndjson`, before the journal restarts.
 * The archive is a journal itself: `readJournal` reads it. The whole journal is kept, because a run that went on
 * with an interrupted one answers for its intents as well. Doing it again after a crash changes nothing; records
 * of a later part of the same run are added. False when there was nothing to keep.
 *
 * Usually it costs nothing: the archive is another name of the file that the restart replaces. `openJournal` gives
 * a journal that kept its second name, because of a crash in between, a file of its own.
 */
export async function archiveJournal(journalPath: string, runsFolder: string, run: string): Promise<boolean> {
  const archivePath = join(runsFolder, `${fileName(run, runsFolder)}.ndjson`);
  try {
    if (!(await holdsRecords(journalPath))) return false;
    if (!(await isSameFile(journalPath, archivePath)) && !(await link(journalPath, archivePath)))
      await copy(journalPath, archivePath);
    return true;
  } catch (error) {
    throw ioError(error, archivePath, "write");
  }
}

async function holdsRecords(path: string): Promise<boolean> {
  const scan = new JournalScan(path);
  for await (const { lines } of readLines(path)) {
    for (const line of lines) {
      scan.pass(line);
      if (scan.recordsFrom > 0) return (await sizeOf(path)) > scan.recordsFrom;
    }
  }
  return scan.finish() !== undefined;
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [left, right] = await Promise.all([statOrNothing(one), statOrNothing(other)]);
  return left !== undefined && right !== undefined && left.dev === right.dev && left.ino === right.ino;
}

/** False where the file system has no second names, or the two folders are not on the same one. */
async function link(journalPath: string, archivePath: string): Promise<boolean> {
  await makeFolder(dirname(archivePath));
  try {
    // The file itself: a second name of a symbolic link would show whatever the link leads to later.
    await fs.link(await fs.realpath(journalPath), archivePath);
  } catch (error) {
    if (cannotLink.has(errno(error) ?? "")) return false;
    throw error;
  }
  await syncFolder(dirname(archivePath));
  return true;
}

const cannotLink = new Set([
  "EEXIST",
  "EXDEV",
  "EPERM",
  "EACCES",
  "EMLINK",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
]);

async function copy(journalPath: string, archivePath: string): Promise<void> {
  const { recordsFrom, end } = await measure(journalPath);
  const kept = (await sizeOf(archivePath)) === 0 ? 0 : (await measure(archivePath)).end;
  const isThere = await same(archivePath, kept - (end - recordsFrom), journalPath, recordsFrom, end);
  if (kept > 0 && isThere) return;
  const begunHere = kept > 0 && kept <= end && (await same(journalPath, 0, archivePath, 0, kept));
  const content =
    kept === 0 || begunHere
      ? bytesOf(journalPath, 0, end)
      : concatenate(bytesOf(archivePath, 0, kept), bytesOf(journalPath, recordsFrom, end));
  await writeAtomic(archivePath, content, { mode: 0o600 });
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

/** Where the records of a journal begin and end, without a torn tail. By checksums: whoever uses them reads them. */
async function measure(path: string): Promise<{ recordsFrom: number; end: number }> {
  const scan = new JournalScan(path);
  let size = 0;
  for await (const { chunk, lines } of readLines(path)) {
    size += chunk.length;
    for (const line of lines) scan.pass(line);
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
  return (await statOrNothing(path))?.size ?? 0;
}
