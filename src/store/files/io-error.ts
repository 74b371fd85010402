import type { StoreErrorCode } from "../store-error.ts";
import { errno, StoreError } from "../store-error.ts";

interface Reading {
  readonly code: StoreErrorCode;
  readonly why: string;
  readonly suggestion: string;
}

/** No other folder is advised: whoever follows that in the middle of a run has everything made a second time. */
const sameFolder =
  "Then run the same command again: what was moved is known in the folder of the mapping alone, and would count as new in another one.";
const freeSpace = "Free some space, then run the same command again: nothing is lost.";

const readings: Readonly<Record<string, Reading>> = {
  ENOENT: { code: "not-found", why: "it does not exist", suggestion: "Check the path." },
  ENOSPC: { code: "disk-full", why: "the disk is full", suggestion: freeSpace },
  EDQUOT: { code: "disk-full", why: "the disk quota is used up", suggestion: freeSpace },
  EROFS: {
    code: "unwritable",
    why: "the file system is read-only",
    suggestion: `Have it made writable. ${sameFolder}`,
  },
  EISDIR: {
    code: "io-failed",
    why: "it is a folder",
    suggestion: "Give the path of a file, or move the folder away.",
  },
  ENOTDIR: {
    code: "io-failed",
    why: "a part of the path is a file, not a folder",
    suggestion: "Check the path, or move that file away.",
  },
  EEXIST: {
    code: "io-failed",
    why: "there is a file of that name",
    suggestion: "Check the path, or move that file away.",
  },
  ELOOP: { code: "io-failed", why: "its symbolic links lead in a circle", suggestion: "Mend the links." },
  EMFILE: {
    code: "io-failed",
    why: "too many files are open",
    suggestion: "Raise the limit of open files (ulimit -n).",
  },
};

/** What a failed system call means for a person; undefined for an error that no system call made. */
export function explainIo(error: unknown, path: string, doing: "read" | "write"): StoreError | undefined {
  if (error instanceof StoreError) return error;
  const reading = readingOf(error, doing);
  if (reading === undefined) return undefined;
  const { code, why, suggestion } = reading;
  return new StoreError(code, path, `cannot ${doing} ${path}: ${why}`, suggestion, error);
}

function readingOf(error: unknown, doing: "read" | "write"): Reading | undefined {
  const code = errno(error);
  if (code === undefined || !(error instanceof Error) || !("syscall" in error)) return undefined;
  return readings[code] ?? fallback(code, doing);
}

/** What we write was taken away while we wrote it. */
export function vanished(path: string, cause?: unknown): StoreError {
  return new StoreError(
    "vanished",
    path,
    `cannot write ${path}: it, or its folder, was taken away in the middle of the run`,
    "Put it back where it was, from a backup if need be, then run the same command again.",
    cause,
  );
}

/**
 * The file is in its place, or is gone from it, and only whether that outlasts a loss of power is not known: whoever is told that it
 * cannot be written looks for the old one.
 */
export function notSynced(error: unknown, path: string, done: "written" | "removed"): StoreError {
  const reading = readingOf(error, "write");
  if (reading === undefined) return ioError(error, path, "write");
  if (reading.code === "not-found") return vanished(path, error);
  return new StoreError(
    "not-synced",
    path,
    `${path} is ${done}, but its folder cannot be synced, so that a loss of power may undo it: ${reading.why}`,
    "Mend that (the folder has to be readable, too), then run the same command again.",
    error,
  );
}

/** What a failed system call means, to be thrown; an error that no system call made is a defect and is thrown on as it is. */
export function ioError(error: unknown, path: string, doing: "read" | "write"): StoreError {
  const explained = explainIo(error, path, doing);
  if (explained === undefined) throw error;
  return explained;
}

function fallback(code: string, doing: "read" | "write"): Reading {
  if (code === "EACCES" || code === "EPERM") {
    return {
      code: doing === "read" ? "unreadable" : "unwritable",
      why: "permission denied",
      suggestion: `Give yourself permission to ${doing} it. ${sameFolder}`,
    };
  }
  return {
    code: "io-failed",
    why: `the system says ${code}`,
    suggestion: "Check the disk, then run it again.",
  };
}
