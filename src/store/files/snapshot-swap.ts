import { dirname } from "node:path";
import type { Disk } from "./disk.ts";
import type { StoreHooks } from "../hooks.ts";
import { manifestName } from "./manifest.ts";
import { isKindName } from "./names.ts";
import { errno, isMissing, StoreError } from "../store-error.ts";
import { releaseTemporary, temporaryBeside } from "./temporary.ts";

/** Where a snapshot goes: what a symbolic link points at, or the path itself while there is nothing. */
export async function snapshotTarget(disk: Disk, folder: string): Promise<string> {
  try {
    return await disk.realpath(folder);
  } catch (error) {
    if (isMissing(error)) return folder;
    throw error;
  }
}

/** An export replaces a snapshot, and nothing else: a folder with other files in it is somebody's work. */
export async function refuseOtherFiles(disk: Disk, folder: string, shown: string): Promise<void> {
  const names = await namesIn(disk, folder);
  const other = names.find((name) => name !== manifestName && !isSnapshotFile(name));
  const isSnapshot = names.length === 0 || names.includes(manifestName);
  if (isSnapshot && other === undefined) return;
  const why = other === undefined ? "it has no manifest" : `it holds ${JSON.stringify(other)}`;
  throw new StoreError(
    "snapshot-in-the-way",
    shown,
    `${shown} is not a snapshot that could be replaced: ${why}`,
    "Choose another folder, or move what is in it away.",
  );
}

/**
 * Puts a finished folder in the place of the old one. Between the two renames there is no snapshot at all;
 * never half a one.
 */
export async function swapFolder(
  disk: Disk,
  finished: string,
  target: string,
  hooks?: StoreHooks,
): Promise<void> {
  await hooks?.reached("snapshot:before-swap");
  for (let left = 50; !(await swapOnce(disk, finished, target, left, hooks)); left -= 1);
  await disk.syncFolder(dirname(target));
  await hooks?.reached("snapshot:after-swap");
}

/** False when another export put its snapshot there between the two renames: both are right, and the last one stays. */
async function swapOnce(
  disk: Disk,
  finished: string,
  target: string,
  left: number,
  hooks: StoreHooks | undefined,
): Promise<boolean> {
  const old = temporaryBeside(disk, target);
  try {
    const replaced = await moveAway(disk, target, old);
    await hooks?.reached("snapshot:mid-swap");
    try {
      await disk.rename(finished, target);
    } catch (error) {
      const another = errno(error) === "ENOTEMPTY" || errno(error) === "EEXIST";
      if (replaced && !another) await disk.rename(old, target);
      if (!another || left === 0) throw error;
      await disk.rm(old, { recursive: true, force: true });
      return false;
    }
    await disk.rm(old, { recursive: true, force: true });
    return true;
  } finally {
    releaseTemporary(disk, old);
  }
}

async function moveAway(disk: Disk, target: string, old: string): Promise<boolean> {
  try {
    await disk.rename(target, old);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return await disk.readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isSnapshotFile(name: string): boolean {
  return name.endsWith(".ndjson") && isKindName(name.slice(0, -".ndjson".length));
}
