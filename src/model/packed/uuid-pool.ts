import { withRoom } from "./room.ts";
import { hashOf, spellUuid, uuidWords } from "./uuid.ts";

/** A table that small lies in the heap. */
const fewest = 4;
/** Beyond so many, a table that is new begins with a pool of its own: nothing ever leaves one. */
const mostShared = 1 << 22;

/**
 * UUIDs by number, each written down once for all tables of a run: an object of the source stands in a dozen of them, with one
 * URN. Nothing leaves a pool; it goes with the last table that has something of it.
 */
export class UuidPool {
  #size = 0;
  /** Four for each. */
  #words = new Uint32Array(uuidWords * fewest);
  /** One more than the number of a UUID; 0 is free. */
  #slots = new Uint32Array(2 * fewest);
  /** Who asks one table for a URN asks another one for it next. */
  #last = -1;

  get size(): number {
    return this.#size;
  }

  /** Its number; the next one where it is new. */
  add(uuid: Uint32Array): number {
    const known = this.find(uuid);
    if (known >= 0) return known;
    const number = this.#size;
    this.#words = withRoom(this.#words, (number + 1) * uuidWords - 1);
    this.#words.set(uuid, number * uuidWords);
    this.#size += 1;
    if (isFull(this.#size, this.#slots)) {
      this.#slots = roomier(this.#slots);
      for (let other = 0; other < this.#size; other += 1) this.#place(other);
    } else this.#place(number);
    this.#last = number;
    return number;
  }

  /** -1 for one that never came. */
  find(uuid: Uint32Array): number {
    if (this.#last >= 0 && this.#is(this.#last, uuid)) return this.#last;
    const slots = this.#slots;
    for (let slot = slotOf(hashOf(uuid, 0), slots); ; slot = nextSlot(slot, slots)) {
      const number = (slots[slot] ?? 0) - 1;
      if (number < 0) return -1;
      if (!this.#is(number, uuid)) continue;
      this.#last = number;
      return number;
    }
  }

  /** The bytes of its text, in a buffer that is written again with the next one. */
  spell(number: number): Buffer {
    return spellUuid(this.#words, number * uuidWords);
  }

  /** As `<` does with their texts. */
  compare(one: number, other: number): number {
    for (let word = 0; word < uuidWords; word += 1) {
      const left = this.#words[one * uuidWords + word] ?? 0;
      const right = this.#words[other * uuidWords + word] ?? 0;
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  }

  #is(number: number, uuid: Uint32Array): boolean {
    for (let word = 0; word < uuidWords; word += 1)
      if (this.#words[number * uuidWords + word] !== uuid[word]) return false;
    return true;
  }

  #place(number: number): void {
    const slots = this.#slots;
    let slot = slotOf(hashOf(this.#words, number * uuidWords), slots);
    while (slots[slot] !== 0) slot = nextSlot(slot, slots);
    slots[slot] = number + 1;
  }
}

let shared: WeakRef<UuidPool> | undefined;

/** The pool of this run's tables, for as long as there are any. */
export function sharedPool(): UuidPool {
  const known = shared?.deref();
  if (known !== undefined && known.size < mostShared) return known;
  const pool = new UuidPool();
  shared = new WeakRef(pool);
  return pool;
}

/** Of a table with open addresses: four fifths are in use at most. */
export function isFull(size: number, slots: Uint32Array): boolean {
  return 5 * size > 4 * slots.length;
}

/** An empty one, with half as much room again. */
export function roomier(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  return new Uint32Array(Math.ceil(1.5 * slots.length));
}

/** By the upper bits of the hash, a number of 32 bits: a table may have any length. */
export function slotOf(hash: number, slots: Uint32Array): number {
  return Math.floor((hash / 2 ** 32) * slots.length);
}

export function nextSlot(slot: number, slots: Uint32Array): number {
  return slot + 1 === slots.length ? 0 : slot + 1;
}
