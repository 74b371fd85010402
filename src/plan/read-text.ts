import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import { TextDecoder } from "node:util";

/** Ten thousand URNs and more; what is larger is no plan, and what has no end (a device, a pipe) is never held whole. */
const mostBytes = 4 * 1024 * 1024;

/** The text of a file that a person wrote, or why there is none: a predicate (`is not text`) that quotes nothing of it. */
export type Read = { readonly text: string } | { readonly why: string };

export function readText(path: string): Read {
  let bytes: Buffer;
  try {
    // It is waited for until somebody writes into it, and no signal is heard meanwhile. What a shell opens is no named one.
    if (lstatSync(path).isFIFO()) return { why: "is a named pipe" };
    bytes = readBytes(path);
  } catch (error) {
    return { why: `cannot be read: ${reasonOf(error)}` };
  }
  if (bytes.length > mostBytes) return { why: `is larger than ${mostBytes / 1024 / 1024} MB` };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { why: "is not text in UTF-8" };
  }
}

/** One byte more than there may be, at most: that much tells that it is too large. */
function readBytes(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const pieces: Buffer[] = [];
    for (let size = 0; size <= mostBytes;) {
      const piece = Buffer.alloc(64 * 1024);
      const count = readSync(file, piece, 0, piece.length, null);
      if (count === 0) break;
      pieces.push(piece.subarray(0, count));
      size += count;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(file);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is a file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "its symbolic links lead in a circle",
};

/** Never the message of the system: it quotes the path, and a plan may hold a secret where a path should stand. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? (code === "" ? "the system gives no reason" : `the system says ${code}`);
}
