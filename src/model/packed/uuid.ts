/** A UUID in lower case, as 16 bytes: four words of 32 bits. Any other spelling is another text, and no such UUID. */
export const uuidLength = 36;
export const uuidWords = 4;

/** By code unit: the value of a hexadecimal digit in lower case, or -1. */
const digits = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value += 1) digits[value.toString(16).charCodeAt(0)] = value;

const hyphen = 0x2d;
/** Where a word ends, and where a hyphen stands. */
const isHyphen = (at: number): boolean => at === 8 || at === 13 || at === 18 || at === 23;

/** Reads the 36 characters from `start` on; false, and whatever in `into`, when they are no UUID in lower case. */
export function readUuid(text: string, start: number, into: Uint32Array, at: number): boolean {
  let word = 0;
  let nibbles = 0;
  for (let index = 0; index < uuidLength; index += 1) {
    const unit = text.charCodeAt(start + index);
    if (isHyphen(index)) {
      if (unit !== hyphen) return false;
      continue;
    }
    const digit = unit < 128 ? (digits[unit] ?? -1) : -1;
    if (digit < 0) return false;
    word = (word << 4) | digit;
    nibbles += 1;
    if (nibbles % 8 === 0) {
      into[at + nibbles / 8 - 1] = word;
      word = 0;
    }
  }
  return true;
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
export function hashOf(words: Uint32Array, at: number, more: number): number {
  let hash = Math.imul((words[at] ?? 0) ^ more, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ (words[at + 1] ?? 0), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ (words[at + 2] ?? 0), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16) ^ (words[at + 3] ?? 0), 0x27d4eb2f);
  return (hash ^ (hash >>> 15)) >>> 0;
}
