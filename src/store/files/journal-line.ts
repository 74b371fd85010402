import { crc32 } from "node:zlib";
import type { Bytes } from "./bytes.ts";

/**
 * A line of the journal: `checksum separator json LF`.
 *
 * - checksum: CRC-32 of the bytes of the JSON, begun with the checksum of the line before (the first line's with
 *   zero), eight hexadecimal digits in lower case. So the lines are a chain: one that was cut out, repeated, moved
 *   or put in from elsewhere breaks it at a line that can be named. The same bytes begun differently never have the
 *   same checksum, so a break is missed only where two lines happen to have the same one.
 * - separator: a space when everything before the line was durable before the line was written (the line opens
 *   a group), a plus sign when the line was written together with the one before it.
 * - json: one object without line feeds, UTF-8.
 *
 * The separator is what tells a torn write from damage: what is lost in a power cut was written last, so no
 * line that opens a group comes after it.
 */
export interface DecodedLine {
  readonly opensGroup: boolean;
  /** A view of the line's bytes. */
  readonly json: Buffer;
  /** What the next line's checksum begins with. */
  readonly checksum: number;
}

const space = 0x20;
const plus = 0x2b;
/** Checksum and separator. */
const prefix = 9;

/** Encodes the lines of one file, in their order. */
export class LineEncoder {
  #checksum: number;

  /** `checksum` is that of the file's last line; without one the file is new. */
  constructor(checksum = 0) {
    this.#checksum = checksum;
  }

  /** Adds the line to what is about to be written: the JSON is encoded once, for its checksum and for the disk. */
  add(to: Bytes, json: string | Buffer, opensGroup: boolean): void {
    const begin = to.length;
    to.text(opensGroup ? "-------- " : "--------+");
    if (typeof json === "string") to.text(json);
    else to.add(json);
    this.#checksum = crc32(to.view(begin + prefix), this.#checksum);
    to.put(hex(this.#checksum), begin);
    to.text("\n");
  }
}

/** The line's content, or undefined when it does not follow `previous`. `bytes` are without the line feed. */
export function decodeLine(bytes: Buffer, previous: number): DecodedLine | undefined {
  const separator = bytes[prefix - 1];
  if (separator !== space && separator !== plus) return undefined;
  const json = bytes.subarray(prefix);
  const checksum = crc32(json, previous);
  if (hex(checksum) !== bytes.toString("latin1", 0, prefix - 1)) return undefined;
  return { opensGroup: separator === space, json, checksum };
}

/** Whether bytes look like a line that opens a group, for where the line before is not there to tell. */
export function looksLikeGroup(bytes: Buffer): boolean {
  return /^[0-9a-f]{8} \{/.test(bytes.toString("latin1", 0, prefix + 1));
}

/** Whether bytes have all that a line has, be its checksum what it may: a torn write ends before its JSON does. */
export function looksWhole(bytes: Buffer): boolean {
  if (!/^[0-9a-f]{8}[ +]\{/.test(bytes.toString("latin1", 0, prefix + 1))) return false;
  try {
    JSON.parse(bytes.toString("utf8", prefix));
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether damaged bytes are a whole line with more after it: then a line feed was damaged, not a write torn.
 * Only where what looks like the begin of a line follows is the checksum worth computing.
 */
export function holdsWholeLine(bytes: Buffer, previous: number): boolean {
  const expected = bytes.toString("latin1", 0, prefix - 1);
  for (const match of bytes.toString("latin1").matchAll(/.(?=[0-9a-f]{8}[ +]\{)/gs)) {
    const isWhole =
      match.index > prefix && hex(crc32(bytes.subarray(prefix, match.index), previous)) === expected;
    if (isWhole) return true;
  }
  return false;
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, "0");
}
