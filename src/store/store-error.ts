/** Everything that can be expected to go wrong on disk. People and scripts may tell cases apart by it. */
export type StoreErrorCode =
  | "not-found"
  /** It was there when the run began. */
  | "vanished"
  | "unreadable"
  | "unwritable"
  | "disk-full"
  | "io-failed"
  /** What was to be written is in its place all the same. */
  | "not-synced"
  | "bad-name"
  | "bad-json"
  | "bad-shape"
  | "merge-conflict"
  | "newer-format"
  | "foreign-state"
  | "read-only"
  | "lock-unusable"
  | "journal-damaged"
  | "journal-closed"
  | "lease-lost"
  | "mapping-damaged"
  | "mapping-not-bijective"
  | "snapshot-damaged"
  | "snapshot-in-the-way"
  | "duplicate-object";

/**
 * Expected trouble with a file: what, where in it, why, and what to do next. A defect of the program is any
 * other error.
 */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  /** As the caller gave it: messages never show a path that the person did not write. */
  readonly path: string;
  readonly suggestion: string;

  constructor(code: StoreErrorCode, path: string, message: string, suggestion: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.path = path;
    this.suggestion = suggestion;
  }
}

/** The system's code of an error (`ENOENT`), or undefined when it has none. */
export function errno(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

export function isMissing(error: unknown): boolean {
  return errno(error) === "ENOENT";
}
