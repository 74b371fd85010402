/** A UUID in lower case, as 16 bytes: four words of 32 bits. Any other spelling is another text, and no such UUID. */
export const uuidLength = 36;
export const uuidWords = 4;

/** By code unit, whichever: the value of a hexadecimal digit in lower case, or -1. */
const digits = new Int8Array(1 << 16).fill(-1);
for (let value = 0; value < 16; value += 1) digits[value.toString(16).charCodeAt(0)] = value;

const hyphen = 0x2d;
/** Where the digits of each word stand: four, and four. */
const halves = [0, 4, 9, 14, 19, 24, 28, 32] as const;

/** Reads the 36 characters from `start` on; false, and whatever in `into`, when they are no UUID in lower case. */
export function readUuid(text: string, start: number, into: Uint32Array, at: number): boolean {
  const hasHyphens =
    text.charCodeAt(start + 8) === hyphen &&
    text.charCodeAt(start + 13) === hyphen &&
    text.charCodeAt(start + 18) === hyphen &&
    text.charCodeAt(start + 23) === hyphen;
  if (!hasHyphens) return false;
  for (let word = 0; word < uuidWords; word += 1) {
    const high = fourDigits(text, start + (halves[2 * word] ?? 0));
    const low = fourDigits(text, start + (halves[2 * word + 1] ?? 0));
    if (high < 0 || low < 0) return false;
    into[at + word] = (high << 16) | low;
  }
  return true;
}

/** Their value, or something below zero where one of them is none. */
function fourDigits(text: string, at: number): number {
  return (
    (digit(text.charCodeAt(at)) << 12) |
    (digit(text.charCodeAt(at + 1)) << 8) |
    (digit(text.charCodeAt(at + 2)) << 4) |
    digit(text.charCodeAt(at + 3))
  );
}

function digit(unit: number): number {
  return digits[unit] ?? -1;
}

/** Where the two digits of each byte stand in the text. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const spelled = Buffer.from("00000000-0000-0000-0000-000000000000", "latin1");
const hexadecimal = Buffer.from("0123456789abcdef", "latin1");

/** The bytes of its text, in a buffer that is written again with the next one. */
export function spellUuid(words: Uint32Array, at: number): Buffer {
  for (let byte = 0; byte < places.length; byte += 1) {
    const value = (words[at + (byte >> 2)] ?? 0) >>> (24 - 8 * (byte & 3));
    const place = places[byte] ?? 0;
    spelled[place] = hexadecimal[(value >>> 4) & 15] ?? 0;
    spelled[place + 1] = hexadecimal[value & 15] ?? 0;
  }
  return spelled;
}

export function uuidText(words: Uint32Array, at: number): string {
  return spellUuid(words, at).toString("latin1", 0, uuidLength);
}

/** For a table: the words of a UUID are random enough to be their own hash, but for made-up ones that count up. */
export function hashOf(words: Uint32Array, at: number): number {
  let hash = Math.imul(words[at] ?? 0, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ (words[at + 1] ?? 0), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ (words[at + 2] ?? 0), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16) ^ (words[at + 3] ?? 0), 0x27d4eb2f);
  return (hash ^ (hash >>> 15)) >>> 0;
}
