import { dirname } from "node:path";
import type { Disk } from "./disk.ts";
import { ioError, notSynced } from "./io-error.ts";

/** Removes a file that may be gone already. Throws StoreError. */
export async function removeFile(disk: Disk, path: string): Promise<void> {
  try {
    await disk.rm(path, { force: true });
  } catch (error) {
    throw ioError(error, path, "write");
  }
}

/** The same, and no power loss brings it back. */
export async function removeSynced(disk: Disk, path: string): Promise<void> {
  await removeFile(disk, path);
  try {
    await disk.syncFolder(dirname(path));
  } catch (error) {
    throw notSynced(error, path, "removed");
  }
}
