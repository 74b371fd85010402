import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolderSync } from "./folder.ts";
import { explainIo } from "./io-error.ts";

export interface EventLog {
  /** Never throws: an event that cannot be written must not stop a run. */
  write(event: object): void;
  close(): void;
}

/**
 * The events of runs, one JSON object a line, appended synchronously: what was written before a process died is
 * there. Best effort: the first trouble is told once through the callback, and nothing is written after it.
 */
export function openEventLog(path: string, onTrouble: (error: unknown) => void): EventLog {
  let file = attempt(() => openAtLineStart(path));

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
        writeAll(open, `${JSON.stringify(event)}\n`);
        return true;
      });
      if (written === undefined) this.close();
    },
    close() {
      const open = file;
      file = undefined;
      if (open !== undefined) attempt(() => closeSync(open));
    },
  };
}

/** A run that was killed may have left half a line: the next event begins a line of its own. */
function openAtLineStart(path: string): number {
  makeFolderSync(dirname(path));
  const file = openSync(path, "a+", 0o666);
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a) writeAll(file, "\n");
  return file;
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length;) from += writeSync(file, bytes, from);
}
