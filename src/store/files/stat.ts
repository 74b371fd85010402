import { isMissing } from "../store-error.ts";
import type { Disk, DiskStat } from "./disk.ts";

/** What the system knows of a file; undefined when there is none. */
export async function statOrNothing(disk: Disk, path: string): Promise<DiskStat | undefined> {
  try {
    return await disk.stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
