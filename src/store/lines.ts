import { createReadStream } from "node:fs";

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

/** Reads a file piece by piece; no more than a piece and the longest line are in memory. */
export async function* readLines(path: string): AsyncGenerator<Lines> {
  let begun: Buffer[] = []; // the line that the pieces so far did not end
  let offset = 0;
  let number = 1;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
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
    if (from < chunk.length) begun.push(chunk.subarray(from));
    yield { chunk, lines };
  }
  if (begun.length > 0) {
    yield { chunk: Buffer.alloc(0), lines: [{ bytes: Buffer.concat(begun), offset, number, ended: false }] };
  }
}
