import type { Disk, DiskFile } from "./disk.ts";

/** A line of a file of lines, as bytes: its checksum is over bytes, and offsets count them. */
export interface Line {
  /** Without the line feed. */
  readonly bytes: Buffer;
  /** Of the line's first byte in the file. */
  readonly offset: number;
  /** From 1, as editors count. */
  readonly number: number;
  /** False for a last line without a line feed. */
  readonly ended: boolean;
}

export interface Lines {
  /** The bytes just read, for a digest of the whole file. */
  readonly chunk: Buffer;
  readonly lines: readonly Line[];
}

const lineFeed = 0x0a;
/** Most files are small, and memory is taken anew for each. */
const firstSize = 1 << 14;
const pieceSize = 1 << 18;

/**
 * Reads a file piece by piece. No more than a piece and the longest line are in memory: the buffer is used
 * again, so what is yielded is good until the next piece is asked for, and is copied by whoever keeps it.
 */
export async function* readLines(disk: Disk, path: string): AsyncGenerator<Lines, void, void> {
  const handle = await disk.open(path, "r");
  try {
    yield* linesOf(handle);
  } finally {
    await handle.close();
  }
}

/** The whole file, a piece at a time; each piece is the reader's own. */
export async function* piecesOf(disk: Disk, path: string): AsyncGenerator<Buffer, void, void> {
  for await (const { chunk } of readLines(disk, path)) yield Buffer.from(chunk);
}

/** The same of a file that is open, from where its next read begins. */
export async function* linesOf(handle: Pick<DiskFile, "read">): AsyncGenerator<Lines, void, void> {
  let buffer = Buffer.allocUnsafe(firstSize);
  let begun: Buffer[] = []; // the line that the pieces so far did not end
  let offset = 0;
  let number = 1;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      const rest = chunk.subarray(from, at);
      const bytes = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      lines.push({ bytes, offset, number, ended: true });
      begun = [];
      offset += bytes.length + 1;
      number += 1;
      from = at + 1;
    }
    if (from < chunk.length) begun.push(Buffer.from(chunk.subarray(from)));
    yield { chunk, lines };
    if (bytesRead === buffer.length && bytesRead < pieceSize) buffer = Buffer.allocUnsafe(pieceSize);
  }
  if (begun.length === 0) return;
  yield { chunk: Buffer.alloc(0), lines: [{ bytes: Buffer.concat(begun), offset, number, ended: false }] };
}
