import { crc32 } from "node:zlib";

/**
 * A line of the journal: `crc32 separator json LF`.
 *
 * - crc32: of the bytes of the JSON, eight hexadecimal digits in lower case.
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
}

const space = 0x20;
const plus = 0x2b;
/** Checksum and separator. */
const prefix = 9;

export function encodeLine(json: string, opensGroup: boolean): string {
  return Buffer.concat(linePieces(json, opensGroup)).toString("utf8");
}

/** The line's bytes, piece by piece: the JSON is encoded once, for its checksum and for the disk. */
export function linePieces(json: string, opensGroup: boolean): readonly Buffer[] {
  const bytes = Buffer.from(json);
  return [Buffer.from(`${checksum(bytes)}${opensGroup ? " " : "+"}`, "latin1"), bytes, lineEnd];
}

const lineEnd = Buffer.from("\n");

/** The line's content, or undefined when it is damaged. `bytes` are without the line feed. */
export function decodeLine(bytes: Buffer): DecodedLine | undefined {
  const separator = bytes[prefix - 1];
  if (separator !== space && separator !== plus) return undefined;
  const json = bytes.subarray(prefix);
  if (checksum(json) !== bytes.toString("latin1", 0, prefix - 1)) return undefined;
  return { opensGroup: separator === space, json };
}

/**
 * Whether damaged bytes are a whole line with more after it: then a line feed was damaged, not a write torn.
 * Only where what looks like the begin of a line follows is the checksum worth computing.
 */
export function holdsWholeLine(bytes: Buffer): boolean {
  const expected = bytes.toString("latin1", 0, prefix - 1);
  for (const match of bytes.toString("latin1").matchAll(/.(?=[0-9a-f]{8}[ +]\{)/gs)) {
    if (match.index > prefix && checksum(bytes.subarray(prefix, match.index)) === expected) return true;
  }
  return false;
}

function checksum(json: Buffer): string {
  return crc32(json).toString(16).padStart(8, "0");
}
