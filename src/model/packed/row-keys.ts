import { hashOf, readUuid, uuidLength, uuidWords } from "./uuid.ts";

const fewest = 8;
/** A slot that was in use: whoever looks for a key looks on behind it. */
const gone = 0xffffffff;
const looked = new Uint32Array(uuidWords);

/** What a row that is known by a number has for a key; undefined where it has none by that name. */
export type KeyOfRow = (row: number, key: string) => string | undefined;

/**
 * Which row has a key, for many keys that are UUIDs, in some 15 bytes each outside of the heap: only the row's number is
 * here, and the row itself is asked whether it is the one. Of two rows with one key the one that came last has it.
 */
export class RowKeys {
  readonly #keyOf: KeyOfRow;
  /** Two for each slot: what the key's hash is, and one more than the row's number, or 0, or `gone`. */
  #slots = new Uint32Array(2 * fewest);
  /** Slots that are, or were, in use. */
  #used = 0;
  #live = 0;
  /** Any other text, by what stands for it; whichever row lets go of one, it is forgotten. */
  readonly #others = new Map<string, string>();

  /** Rows are numbers below 2^32 - 2. */
  constructor(keyOf: KeyOfRow) {
    this.#keyOf = keyOf;
  }

  get(key: string): string | undefined {
    if (!isLooked(key)) return this.#others.get(key);
    const hash = hashOf(looked, 0);
    for (let at = this.#first(hash); this.#slots[at + 1] !== 0; at = this.#next(at)) {
      const row = this.#slots[at + 1] ?? 0;
      const to = row === gone || this.#slots[at] !== hash ? undefined : this.#keyOf(row - 1, key);
      if (to !== undefined) return to;
    }
    return undefined;
  }

  /** The row has the key already. */
  set(key: string, to: string, row: number): void {
    if (!isLooked(key)) {
      this.#others.set(key, to);
      return;
    }
    const hash = hashOf(looked, 0);
    let free = -1;
    let at = this.#first(hash);
    for (; this.#slots[at + 1] !== 0; at = this.#next(at)) {
      const other = this.#slots[at + 1] ?? 0;
      if (other === gone) {
        if (free < 0) free = at;
        continue;
      }
      if (this.#slots[at] !== hash) continue;
      if (other !== row + 1 && this.#keyOf(other - 1, key) === undefined) continue;
      this.#slots[at + 1] = row + 1;
      return;
    }
    if (free < 0) this.#used += 1;
    const slot = free < 0 ? at : free;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = row + 1;
    this.#live += 1;
    if (6 * this.#used > 2 * this.#slots.length) this.#rehash();
  }

  /** The row has it no more; another row that has the same UUID keeps it. */
  delete(key: string, row: number): void {
    if (!isLooked(key)) {
      this.#others.delete(key);
      return;
    }
    const hash = hashOf(looked, 0);
    for (let at = this.#first(hash); this.#slots[at + 1] !== 0; at = this.#next(at)) {
      if (this.#slots[at] !== hash || this.#slots[at + 1] !== row + 1) continue;
      this.#slots[at + 1] = gone;
      this.#live -= 1;
      return;
    }
  }

  #first(hash: number): number {
    return 2 * (hash & (this.#slots.length / 2 - 1));
  }

  #next(at: number): number {
    return (at + 2) & (this.#slots.length - 1);
  }

  #rehash(): void {
    const slots = this.#slots;
    // Twice as many; or as many, where what was in use is what fills them.
    this.#slots = new Uint32Array(6 * this.#live > slots.length ? 2 * slots.length : slots.length);
    this.#used = this.#live;
    for (let from = 0; from < slots.length; from += 2) {
      const row = slots[from + 1] ?? 0;
      if (row === 0 || row === gone) continue;
      const hash = slots[from] ?? 0;
      let at = this.#first(hash);
      while (this.#slots[at + 1] !== 0) at = this.#next(at);
      this.#slots[at] = hash;
      this.#slots[at + 1] = row;
    }
  }
}

/** Puts the key into `looked`. */
function isLooked(key: string): boolean {
  return key.length === uuidLength && readUuid(key, 0, looked, 0);
}
