import { withRoom } from "./room.ts";
import { hashOf, readUuid, spellUuid, uuidLength, uuidWords } from "./uuid.ts";

/** So many spellings of what stands before a UUID are told apart by a number; an environment has a handful. */
const mostPrefixes = 65_535;
/** A table that small lies in the heap: a run has a hundred of them, and most have a handful of texts. */
const fewest = 4;

/** Used by all tables, and by none for longer than a call. */
const looked = new Uint32Array(uuidWords);
let spelled = Buffer.allocUnsafe(128);

/**
 * Texts that come once each, by number, in the order in which they came, in little room outside of the heap: there may
 * be a million URNs, each a hundred bytes as a text of its own and fifty more in a map. What ends with a UUID in lower
 * case is kept as its bytes; any other text is kept as it is.
 */
export class Texts {
  #size = 0;
  /** Four for each text. */
  #words = new Uint32Array(uuidWords * fewest);
  /** One more than the number of what stands before the UUID; 0 for a text that is kept as it is. */
  #before = new Uint16Array(fewest);
  /** One more than the number of a text; 0 is free. As many as a power of two, at most two thirds in use. */
  #slots = new Int32Array(2 * fewest);
  readonly #prefixes: { readonly text: string; readonly bytes: Buffer }[] = [];
  readonly #prefixNumbers = new Map<string, number>();
  #last = { text: "", number: -1 };
  readonly #others = new Map<number, string>();
  readonly #otherNumbers = new Map<string, number>();

  get size(): number {
    return this.#size;
  }

  /** Its number; the next one where it is new. */
  add(text: string): number {
    const prefix = this.#take(text, true);
    const known = this.#find(text, prefix);
    if (known >= 0) return known;
    const number = this.#size;
    this.#before = withRoom(this.#before, number);
    this.#words = withRoom(this.#words, (number + 1) * uuidWords - 1);
    if (prefix < 0) {
      this.#others.set(number, text);
      this.#otherNumbers.set(text, number);
      this.#before[number] = 0;
    } else {
      this.#words.set(looked, number * uuidWords);
      this.#before[number] = prefix + 1;
    }
    this.#size += 1;
    if (prefix >= 0) {
      if (3 * this.#size > 2 * this.#slots.length) this.#rehash();
      else this.#place(number);
    }
    return number;
  }

  /** -1 for a text that never came. */
  find(text: string): number {
    return this.#find(text, this.#take(text, false));
  }

  has(text: string): boolean {
    return this.find(text) >= 0;
  }

  at(number: number): string {
    const before = this.#before[number] ?? 0;
    if (number < 0 || number >= this.#size) throw new RangeError(`there is no text ${number}`);
    if (before === 0) return this.#others.get(number) ?? "";
    const { bytes, text } = this.#prefixes[before - 1] ?? { bytes: Buffer.alloc(0), text: "" };
    const uuid = spellUuid(this.#words, number * uuidWords);
    // Prefixes are ASCII, or the text is kept as it is: a byte a character.
    const length = text.length + uuidLength;
    if (spelled.length < length) spelled = Buffer.allocUnsafe(2 * length);
    bytes.copy(spelled, 0);
    uuid.copy(spelled, text.length);
    return spelled.toString("latin1", 0, length);
  }

  /** As `<` does, by UTF-16 code unit. */
  compare(one: number, other: number): number {
    const before = this.#before[one] ?? 0;
    if (before === 0 || before !== this.#before[other]) {
      const [left, right] = [this.at(one), this.at(other)];
      return left < right ? -1 : Number(left > right);
    }
    for (let word = 0; word < uuidWords; word += 1) {
      const left = this.#words[one * uuidWords + word] ?? 0;
      const right = this.#words[other * uuidWords + word] ?? 0;
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  }

  *[Symbol.iterator](): Generator<string, undefined> {
    for (let number = 0; number < this.#size; number += 1) yield this.at(number);
  }

  /** Puts the UUID into `looked`; the number of what stands before it, or -1 where the text is to be kept as it is. */
  #take(text: string, isNew: boolean): number {
    const start = text.length - uuidLength;
    if (start < 0 || !readUuid(text, start, looked, 0)) return -1;
    const { text: last, number } = this.#last;
    if (number >= 0 && last.length === start && text.startsWith(last)) return number;
    const prefix = text.slice(0, start);
    const known = this.#prefixNumbers.get(prefix) ?? (isNew ? this.#newPrefix(prefix) : -1);
    if (known >= 0) this.#last = { text: prefix, number: known };
    return known;
  }

  #newPrefix(sliced: string): number {
    const number = this.#prefixes.length;
    if (number >= mostPrefixes || !isAscii(sliced)) return -1;
    // A copy: a slice would keep all of the text that it was cut from.
    const bytes = Buffer.from(sliced, "latin1");
    const text = bytes.toString("latin1");
    this.#prefixes.push({ text, bytes });
    this.#prefixNumbers.set(text, number);
    return number;
  }

  #find(text: string, prefix: number): number {
    if (prefix < 0) return this.#otherNumbers.get(text) ?? -1;
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(looked, 0, prefix) & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) return -1;
      if (this.#before[number] === prefix + 1 && this.#isLooked(number)) return number;
    }
  }

  #isLooked(number: number): boolean {
    for (let word = 0; word < uuidWords; word += 1)
      if (this.#words[number * uuidWords + word] !== looked[word]) return false;
    return true;
  }

  #place(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = hashOf(this.#words, number * uuidWords, (this.#before[number] ?? 0) - 1) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let number = 0; number < this.#size; number += 1)
      if (this.#before[number] !== 0) this.#place(number);
  }
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}
