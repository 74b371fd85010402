import { readFileSync, writeFileSync } from "node:fs";

/**
 * Leaves the journal as a power cut may: of the lines that were written together last, and not synced, only a part
 * is there. Returns how many bytes were lost. `seed` chooses the place.
 */
export function tear(path: string, how: string, seed: number): number {
  const bytes = readFileSync(path);
  const from = lastGroup(bytes);
  // At least one byte is lost, at most all of the group.
  const cut = from + ((seed * 7919) % (bytes.length - from));
  switch (how) {
    case "torn:cut":
      writeFileSync(path, bytes.subarray(0, cut));
      return bytes.length - cut;
    case "torn:zeros":
      // The file has its length already, its last blocks were never written.
      writeFileSync(path, Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(bytes.length - cut)]));
      return bytes.length - cut;
    case "torn:hole": {
      // A block in the middle was never written, one after it was.
      const end = Math.min(bytes.length - 1, cut + 64);
      const start = Math.max(from, end - 64);
      writeFileSync(
        path,
        Buffer.concat([bytes.subarray(0, start), Buffer.alloc(end - start), bytes.subarray(end)]),
      );
      return end - start;
    }
    default:
      throw new Error(`nobody knows how to tear it: ${how}`);
  }
}

/** Where the last line begins that opens a group: a checksum of eight digits and a space, not a plus sign. */
function lastGroup(bytes: Buffer): number {
  let group = 0;
  for (let line = 0; line < bytes.length; line = bytes.indexOf("\n", line) + 1) {
    if (bytes.toString("latin1", line + 8, line + 9) === " ") group = line;
    if (!bytes.includes("\n", line)) break;
  }
  if (group === 0) throw new Error("the journal holds nothing but its header");
  return group;
}
