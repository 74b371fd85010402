import { join } from "node:path";
import type { Scratch } from "../../model/packed/spool.ts";
import type { Disk, DiskFileSync } from "./disk.ts";
import { ioError } from "./io-error.ts";
import { releaseTemporary, temporaryBeside } from "./temporary.ts";

interface Open {
  readonly disk: Disk;
  readonly path: string;
  readonly file: DiskFileSync;
  /** Some systems let nobody remove a file that is in use: it goes when it is closed. */
  readonly isNamed: boolean;
}

/** Results are read to their end by whoever has them, a library's user included: only then the file can be closed. */
const unused = new FinalizationRegistry<Open>(close);

/**
 * A file that loses its name as soon as it is open: whatever ends the run, the system takes it away. Where it keeps the
 * name (Windows), what a killed run leaves is swept up like any temporary file.
 */
export function openScratch(disk: Disk, folder: string): Scratch {
  const path = temporaryBeside(disk, join(folder, "scratch"));
  const file = tried(path, "write", () => disk.openSync(path, "a+"));
  const scratch: Scratch = {
    append(bytes) {
      tried(path, "write", () => {
        file.append(bytes);
      });
    },
    read(into, position) {
      for (let at = 0; at < into.length;) {
        const count = tried(path, "read", () => file.read(into, at, into.length - at, position + at));
        if (count === 0) throw new Error(`${path} became shorter while it was in use`);
        at += count;
      }
    },
  };
  unused.register(scratch, { disk, path, file, isNamed: !isRemoved(disk, path) });
  return scratch;
}

function close({ disk, path, file, isNamed }: Open): void {
  file.close();
  if (isNamed) isRemoved(disk, path);
  releaseTemporary(disk, path);
}

function tried<T>(path: string, what: "write" | "read", act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw ioError(error, path, what);
  }
}

function isRemoved(disk: Disk, path: string): boolean {
  try {
    disk.rmSync(path);
    return true;
  } catch {
    return false; // It stays until it is closed; then, or when temporary files are swept, it goes.
  }
}
