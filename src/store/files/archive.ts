import { dirname, join } from "node:path";
import { writeAtomic } from "./atomic-file.ts";
import type { Disk } from "./disk.ts";
import { makeFolder } from "./folder.ts";
import { ioError } from "./io-error.ts";
import type { JournalHeader } from "./journal-header.ts";
import { renewed } from "./journal-header.ts";
import { rewritten, wholeLines } from "./journal-rewrite.ts";
import { JournalScan } from "./journal-scan.ts";
import { nodeDisk } from "./node-disk.ts";
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
export async function archiveJournal(
  journalPath: string,
  runsFolder: string,
  run: string,
  disk: Disk = nodeDisk,
): Promise<boolean> {
  const archivePath = join(runsFolder, `${fileName(run, runsFolder)}.ndjson`);
  try {
    if (!(await holdsRecords(disk, journalPath))) return false;
    if (!(await isSameFile(disk, journalPath, archivePath)) && !(await link(disk, journalPath, archivePath)))
      await copy(disk, journalPath, archivePath);
    return true;
  } catch (error) {
    throw ioError(error, archivePath, "write");
  }
}

async function holdsRecords(disk: Disk, path: string): Promise<boolean> {
  for await (const lines of wholeLines(disk, path)) if (lines.length > 0) return true;
  return false;
}

async function isSameFile(disk: Disk, one: string, other: string): Promise<boolean> {
  const [left, right] = await Promise.all([statOrNothing(disk, one), statOrNothing(disk, other)]);
  return left !== undefined && right !== undefined && left.dev === right.dev && left.ino === right.ino;
}

/** False where the file system has no second names, or the two folders are not on the same one. */
async function link(disk: Disk, journalPath: string, archivePath: string): Promise<boolean> {
  await makeFolder(disk, dirname(archivePath));
  try {
    // The file itself: a second name of a symbolic link would show whatever the link leads to later.
    await disk.link(await disk.realpath(journalPath), archivePath);
  } catch (error) {
    if (cannotLink.has(errno(error) ?? "")) return false;
    throw error;
  }
  await disk.syncFolder(dirname(archivePath));
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

/**
 * The records are compared, not the bytes of the files: each file joins its lines in its own way, and the journal
 * may have been written anew since the archive was made of it.
 */
async function copy(disk: Disk, journalPath: string, archivePath: string): Promise<void> {
  const journal = await measure(disk, journalPath);
  const hasArchive = ((await statOrNothing(disk, archivePath))?.size ?? 0) > 0;
  const kept = hasArchive ? (await measure(disk, archivePath)).count : 0;
  if (kept > 0 && (await isWithin(disk, journalPath, archivePath, kept - journal.count))) return;
  const begunHere =
    kept <= journal.count && (kept === 0 || (await isWithin(disk, archivePath, journalPath, 0)));
  const parts = begunHere ? [journalPath] : [archivePath, journalPath];
  await writeAtomic(archivePath, rewritten(disk, renewed(journal.header), parts), { mode: 0o600, disk });
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

/** How many lines it has behind its header. By checksums: whoever uses them reads them. */
async function measure(
  disk: Disk,
  path: string,
): Promise<{ readonly count: number; readonly header: JournalHeader }> {
  const scan = new JournalScan(path);
  let count = 0;
  for await (const lines of wholeLines(disk, path, scan)) count += lines.length;
  if (scan.header === undefined) throw new Error(`${path} was read to its end and has no header`);
  return { count, header: scan.header };
}

/** Whether all lines of a journal stand in another, one behind the other, from a line on. */
async function isWithin(disk: Disk, part: string, whole: string, from: number): Promise<boolean> {
  if (from < 0) return false;
  const others = linesFrom(disk, whole, from);
  try {
    for await (const json of linesFrom(disk, part, 0)) {
      const { value } = await others.next();
      if (!(value instanceof Buffer) || !value.equals(json)) return false;
    }
    return true;
  } finally {
    await others.return();
  }
}

async function* linesFrom(disk: Disk, path: string, from: number): AsyncGenerator<Buffer, void, void> {
  let number = 0;
  for await (const lines of wholeLines(disk, path)) {
    for (const { json } of lines) {
      if (number >= from) yield json;
      number += 1;
    }
  }
}
