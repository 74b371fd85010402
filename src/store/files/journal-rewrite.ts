import { Bytes } from "./bytes.ts";
import type { Disk } from "./disk.ts";
import type { JournalHeader } from "./journal-header.ts";
import type { DecodedLine } from "./journal-line.ts";
import { LineEncoder } from "./journal-line.ts";
import { JournalScan } from "./journal-scan.ts";
import { readLines } from "./lines.ts";

/**
 * The lines behind the header that are whole, as many at a time as a piece of the file holds. They are views of it:
 * good until the next ones are asked for.
 */
export async function* wholeLines(
  disk: Disk,
  path: string,
  scan = new JournalScan(path),
): AsyncGenerator<readonly DecodedLine[], void, void> {
  for await (const { lines } of readLines(disk, path)) {
    yield lines.flatMap((line) => scan.pass(line) ?? []);
  }
  scan.finish();
}

/**
 * The records of one journal, or of several one behind the other, as one new file: each line is joined anew to the
 * one before it, the groups stay what they were, and a torn tail stays behind. The encoder can go on with the file.
 * Each piece is good until the next one is asked for.
 */
export async function* rewritten(
  disk: Disk,
  header: JournalHeader,
  paths: readonly string[],
  encoder = new LineEncoder(),
): AsyncGenerator<Buffer, void, void> {
  const bytes = new Bytes();
  encoder.add(bytes, JSON.stringify(header), true);
  yield bytes.view();
  for (const path of paths) {
    for await (const lines of wholeLines(disk, path)) {
      bytes.clear();
      for (const { json, opensGroup } of lines) encoder.add(bytes, json, opensGroup);
      yield bytes.view();
    }
  }
  bytes.release();
}
