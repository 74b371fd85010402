import { describe, expect, it } from "vitest";
import { StoreError } from "../../../src/store/index.ts";
import { explainIo, ioError } from "../../../src/store/files/io-error.ts";

/** Root may do everything: the refusals of the system are made here, not provoked. */
function refusal(code: string): Error {
  return Object.assign(new Error(`${code}: in the system's words`), { code, syscall: "open" });
}

describe("a failed system call", () => {
  it.each([
    ["EACCES", "read", "unreadable", "permission denied"],
    ["EACCES", "write", "unwritable", "permission denied"],
    ["EPERM", "write", "unwritable", "permission denied"],
    ["EROFS", "write", "unwritable", "read-only"],
    ["ENOSPC", "write", "disk-full", "disk is full"],
    ["EDQUOT", "write", "disk-full", "quota"],
    ["ENOENT", "read", "not-found", "does not exist"],
    ["ENOTDIR", "read", "io-failed", "a file, not a folder"],
    ["EMFILE", "read", "io-failed", "too many files"],
    ["EIO", "write", "io-failed", "the system says EIO"],
  ] as const)("%s on %s is %s", (code, doing, expected, why) => {
    const cause = refusal(code);
    const error = explainIo(cause, "a/file", doing);
    expect(error).toMatchObject({ name: "StoreError", code: expected, path: "a/file", cause });
    expect(error?.message).toMatch(new RegExp(`^cannot ${doing} a/file: .*${why}`));
    expect(error?.suggestion).toMatch(/^[A-Z].*\.$/);
    // A run that goes on with another mapping makes everything a second time.
    expect(error?.suggestion).not.toMatch(/-dir|(?:choose|name) (?:a|another) folder/i);
  });

  it("stays what it is when it is explained already, and when no system call made it", () => {
    const explained = new StoreError("bad-json", "p", "m", "s");
    expect(ioError(explained, "other", "read")).toBe(explained);
    const defect = new TypeError("a defect");
    expect(explainIo(defect, "p", "read")).toBeUndefined();
    expect(() => ioError(defect, "p", "read")).toThrow(defect);
    expect(explainIo("thrown text", "p", "read")).toBeUndefined();
    expect(explainIo(Object.assign(new Error("x"), { code: "ERR_X" }), "p", "read")).toBeUndefined();
  });
});
