import { dirname } from "node:path";
import type { Disk, DiskFileSync } from "./disk.ts";
import { makeFolderSync } from "./folder.ts";
import { explainIo } from "./io-error.ts";
import { nodeDisk } from "./node-disk.ts";

export interface EventLog {
  /** Never throws: an event that cannot be written must not stop a run. */
  write(event: object): void;
  close(): void;
}

/**
 * The events of runs, one JSON object a line, appended synchronously: what was written before a process died is
 * there. Best effort: the first trouble is told once through the callback, and nothing is written after it.
 */
export function openEventLog(
  path: string,
  onTrouble: (error: unknown) => void,
  disk: Disk = nodeDisk,
): EventLog {
  let file = attempt(() => openAtLineStart(disk, path));

  function attempt<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      onTrouble(explainIo(error, path, "write") ?? error);
      return undefined;
    }
  }

  return {
    write(event) {
      const open = file;
      if (open === undefined) return;
      const written = attempt(() => {
        open.append(Buffer.from(`${JSON.stringify(event)}\n`));
        return true;
      });
      if (written === undefined) this.close();
    },
    close() {
      const open = file;
      file = undefined;
      if (open !== undefined) attempt(() => open.close());
    },
  };
}

/** So large it may grow before it begins anew: a sync of every night would fill a disk in the end. What was before is kept beside it, once. */
export const mostEventBytes = 16 * 1024 * 1024;

/**
 * A run that is at work writes on into the file that it has open, under whichever name. Where it cannot be moved, or another run has just
 * done that, the events go where they went before.
 */
function moveAside(disk: Disk, path: string): void {
  try {
    disk.renameSync(path, path.replace(/(?:\.ndjson)?$/, ".1.ndjson"));
  } catch {
    // A file that grows is better than events that nobody has.
  }
}

/** A run that was killed may have left half a line: the next event begins a line of its own. */
function openAtLineStart(disk: Disk, path: string): DiskFileSync {
  makeFolderSync(disk, dirname(path));
  let file = disk.openSync(path, "a+");
  if (file.size() > mostEventBytes) {
    file.close();
    moveAside(disk, path);
    file = disk.openSync(path, "a+");
  }
  const size = file.size();
  const last = Buffer.alloc(1);
  if (size > 0 && file.read(last, 0, 1, size - 1) === 1 && last[0] !== 0x0a) file.append(Buffer.from("\n"));
  return file;
}
