import { display } from "../../model/display.ts";
import { StoreError } from "../store-error.ts";
import type { Disk } from "./disk.ts";

/** A link that leads nowhere, as to a share that is not mounted, looks as if nothing had been moved yet: all would be made once more. */
export async function refuseDeadLinks(disk: Disk, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (disk.existsSync(path)) continue;
    const to = await disk.readlink(path).catch(() => undefined);
    if (to === undefined) continue;
    throw new StoreError(
      "unreadable",
      path,
      `cannot read ${path}: it is a link to ${display(to)}, which is not there`,
      "Bring back what it leads to (a share may have to be mounted), then run the same command again. Do not take the link away: what was moved is known there alone, and would count as new without it.",
    );
  }
}
