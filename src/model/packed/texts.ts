import { withRoom } from "./room.ts";
import { isFull, nextSlot, roomier, sharedPool, slotOf, type UuidPool } from "./uuid-pool.ts";
import { readUuid, uuidLength, uuidWords } from "./uuid.ts";

/** So many spellings of what stands before a UUID are told apart by a number; an environment has a handful. */
const mostPrefixes = 65_535;
/** A table that small lies in the heap: a run has a hundred of them, and most have a handful of texts. */
const fewest = 4;

/** Used by all tables, and by none for longer than a call. */
const looked = new Uint32Array(uuidWords);
/** The text whose UUID stands in `looked`: who asks one table for a URN asks others for it next. */
let read = "";
let spelled = Buffer.allocUnsafe(128);

/**
 * Texts that come once each, by number, in the order in which they came, in little room outside of the heap: there may
 * be a million URNs, each a hundred bytes as a text of its own and fifty more in a map. What ends with a UUID in lower
 * case is kept as what stands before it and the number of that UUID in a pool; any other text is kept as it is.
 */
export class Texts {
  readonly #pool: UuidPool;
  #size = 0;
  /** Numbers of UUIDs in the pool. */
  #uuids = new Uint32Array(fewest);
  /** One more than the number of what stands before the UUID; 0 for a text that is kept as it is. */
  #before = new Uint16Array(fewest);
  /** One more than the number of a text; 0 is free. */
  #slots = new Uint32Array(2 * fewest);
  readonly #prefixes: { readonly text: string; readonly bytes: Buffer }[] = [];
  readonly #prefixNumbers = new Map<string, number>();
  #last = { text: "", number: -1 };
  readonly #others = new Map<number, string>();
  readonly #otherNumbers = new Map<string, number>();

  /** By itself it shares the pool of the run; what is many, and of no other table, has one of its own. */
  constructor(pool: UuidPool = sharedPool()) {
    this.#pool = pool;
  }

  get size(): number {
    return this.#size;
  }

  /** Its number; the next one where it is new. */
  add(text: string): number {
    const prefix = this.#take(text, true);
    const number = this.#size;
    if (prefix < 0) {
      const known = this.#otherNumbers.get(text);
      if (known !== undefined) return known;
      this.#others.set(number, text);
      this.#otherNumbers.set(text, number);
      this.#keep(number, 0, 0);
      return number;
    }
    const uuid = this.#pool.add(looked);
    const known = this.#numberOf(uuid, prefix);
    if (known >= 0) return known;
    this.#keep(number, uuid, prefix + 1);
    if (isFull(this.#size, this.#slots)) this.#rehash();
    else this.#place(number);
    return number;
  }

  /** -1 for a text that never came. */
  find(text: string): number {
    const prefix = this.#take(text, false);
    if (prefix < 0) return this.#otherNumbers.get(text) ?? -1;
    const uuid = this.#pool.find(looked);
    return uuid < 0 ? -1 : this.#numberOf(uuid, prefix);
  }

  has(text: string): boolean {
    return this.find(text) >= 0;
  }

  /** False: none of them is among the others. */
  mayShare(others: Texts): boolean {
    if (this.#otherNumbers.size > 0 && others.#otherNumbers.size > 0) return true;
    return this.#prefixes.some(({ text }) => others.#prefixNumbers.has(text));
  }

  at(number: number): string {
    const before = this.#before[number] ?? 0;
    if (number < 0 || number >= this.#size) throw new RangeError(`there is no text ${number}`);
    if (before === 0) return this.#others.get(number) ?? "";
    const { bytes, text } = this.#prefixes[before - 1] ?? { bytes: Buffer.alloc(0), text: "" };
    const uuid = this.#pool.spell(this.#uuids[number] ?? 0);
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
    return this.#pool.compare(this.#uuids[one] ?? 0, this.#uuids[other] ?? 0);
  }

  *[Symbol.iterator](): Generator<string, undefined> {
    for (let number = 0; number < this.#size; number += 1) yield this.at(number);
  }

  /** Puts the UUID into `looked`; the number of what stands before it, or -1 where the text is to be kept as it is. */
  #take(text: string, isNew: boolean): number {
    const start = text.length - uuidLength;
    if (text !== read) {
      read = "";
      if (start < 0 || !readUuid(text, start, looked, 0)) return -1;
      read = text;
    } else if (start < 0) return -1;
    const { text: last, number } = this.#last;
    if (number >= 0 && last.length === start && text.startsWith(last)) return number;
    const prefix = text.slice(0, start);
    const known = this.#prefixNumbers.get(prefix) ?? (isNew ? this.#newPrefix(prefix) : -1);
    // Not the slice, which keeps all of the text that it was cut from: a file of a hundred megabytes.
    if (known >= 0) this.#last = { text: this.#prefixes[known]?.text ?? "", number: known };
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

  #keep(number: number, uuid: number, before: number): void {
    this.#uuids = withRoom(this.#uuids, number);
    this.#before = withRoom(this.#before, number);
    this.#uuids[number] = uuid;
    this.#before[number] = before;
    this.#size += 1;
  }

  #numberOf(uuid: number, prefix: number): number {
    const slots = this.#slots;
    for (let slot = slotOf(hashOf(uuid, prefix + 1), slots); ; slot = nextSlot(slot, slots)) {
      const number = (slots[slot] ?? 0) - 1;
      if (number < 0) return -1;
      if (this.#uuids[number] === uuid && this.#before[number] === prefix + 1) return number;
    }
  }

  #place(number: number): void {
    const slots = this.#slots;
    let slot = slotOf(hashOf(this.#uuids[number] ?? 0, this.#before[number] ?? 0), slots);
    while (slots[slot] !== 0) slot = nextSlot(slot, slots);
    slots[slot] = number + 1;
  }

  #rehash(): void {
    this.#slots = roomier(this.#slots);
    for (let number = 0; number < this.#size; number += 1)
      if (this.#before[number] !== 0) this.#place(number);
  }
}

/** Numbers that count up lie far from each other: multiples of the golden ratio. */
function hashOf(uuid: number, before: number): number {
  return Math.imul(uuid ^ Math.imul(before, 0x85ebca6b), 0x9e3779b1) >>> 0;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}
