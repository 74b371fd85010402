import { join } from "node:path";
import { z } from "zod";
import type { KeptRun } from "../kept-run.ts";
import { inOrder, keptRunSchema, noReport } from "../kept-run.ts";
import type { Report } from "../store.ts";
import { errno, isMissing, StoreError } from "../store-error.ts";
import { writeAtomic } from "./atomic-file.ts";
import type { Disk } from "./disk.ts";
import { makeFolder } from "./folder.ts";
import { ioError } from "./io-error.ts";
import { readJsonFile, writeJsonFile } from "./json-file.ts";

/**
 * The reports of runs, `<runs folder>/<run>/`, with `run.json`, which is written last: a folder without it is what a
 * run that was killed left. What it was the last time to be told stands in the plan's folder, too.
 */
export interface RunFolders {
  readonly disk: Disk;
  readonly runs: string;
  /** The plan's folder. */
  readonly work: string;
}

const about = "run.json";
const file = z.looseObject({ format: z.literal(1), run: keptRunSchema });
const plain = /^[A-Za-z0-9][\w.-]*$/;

export async function keepRun(
  { disk, runs, work }: RunFolders,
  run: KeptRun,
  reports: Readonly<Record<string, Report>>,
  isLatest: boolean,
): Promise<void> {
  const folder = folderOf(runs, run.run);
  try {
    await makeFolder(disk, folder);
    // One after the other: each may be large, and none is needed beside another.
    for (const [name, report] of Object.entries(reports)) {
      const content = (): string | Iterable<string> => (typeof report === "string" ? report : report());
      const kept = join(folder, checked(name, folder));
      await disk.rm(kept, { force: true });
      let isKept = false;
      // A second name costs nothing: the next run puts another file in the place of this one. It is given before anybody can have put
      // one there: a diff takes no lock.
      const unnamed = async (file: string): Promise<void> => {
        isKept = await named(disk, file, kept);
      };
      if (isLatest) await writeAtomic(join(work, name), content(), { disk, unnamed });
      if (!isKept) await writeAtomic(kept, content(), { disk });
    }
  } catch (error) {
    throw error instanceof StoreError ? error : ioError(error, folder, "write");
  }
  await writeJsonFile(join(folder, about), { format: 1, run }, disk);
}

/** False where the file system has no second names. */
async function named(disk: Disk, file: string, name: string): Promise<boolean> {
  try {
    await disk.link(file, name);
    return true;
  } catch (error) {
    if (errno(error) !== undefined) return false;
    throw error;
  }
}

export async function keptRuns({ disk, runs }: RunFolders): Promise<readonly KeptRun[]> {
  const found: KeptRun[] = [];
  for (const name of await namesIn(disk, runs)) {
    if (!plain.test(name) || name.endsWith(".ndjson")) continue;
    try {
      found.push((await readJsonFile(join(runs, name, about), file, disk)).run);
    } catch (error) {
      // Not a run that came to its end, or nothing that this version can read: it is not listed.
      if (!(error instanceof StoreError)) throw error;
    }
  }
  return inOrder(found);
}

export async function keptReport({ disk, runs }: RunFolders, run: string, name: string): Promise<string> {
  const path = join(folderOf(runs, run), checked(name, runs));
  try {
    return await disk.readFile(path);
  } catch (error) {
    if (isMissing(error))
      throw new StoreError("not-found", path, `the run ${run} has no ${name}`, noReport, error);
    throw ioError(error, path, "read");
  }
}

export async function dropRun({ disk, runs }: RunFolders, run: string): Promise<void> {
  await disk.rm(folderOf(runs, run), { recursive: true, force: true });
}

async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return await disk.readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw ioError(error, folder, "read");
  }
}

function folderOf(runs: string, run: string): string {
  return join(runs, checked(run, runs));
}

function checked(name: string, folder: string): string {
  if (plain.test(name)) return name;
  throw new StoreError("bad-name", folder, `${JSON.stringify(name)} cannot name a run`, noReport);
}
