import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** What the tests write at most at a time, many times over; a container may have far less. */
const room = 512 * 1_024 ** 2;
const memory = "/dev/shm";

/**
 * Puts the temporary folder into memory where the machine offers that. No test is about what a disk keeps when the power
 * fails, and waiting for a disk to say that it has written is half of the time of a small migration.
 */
export default function setup(): (() => void) | undefined {
  if (!hasRoom()) return undefined;
  const before = process.env["TMPDIR"];
  const folder = mkdtempSync(join(memory, "ferry-tests-"));
  // As the system's own one: some tests run a process as somebody else.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  };
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > room;
  } catch {
    return false;
  }
}
