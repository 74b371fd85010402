import { Rivals } from "./rivals.ts";
import { hashOf, readUuid, uuidLength, uuidWords } from "./uuid.ts";

const fewest = 8;
/** A slot that was in use: whoever looks for a key looks on behind it. */
const gone = 0xffffffff;
const looked = new Uint32Array(uuidWords);

/** What a row that is known by a number has for a key; undefined where it has none by that name. */
export type KeyOfRow = (row: number, key: string) => string | undefined;

/**
 * Which row has a key, for many keys that are UUIDs, in some 15 bytes each outside of the heap: only the row's number is
 * here, and the row itself is asked whether it is the one. Of two rows with one key the one that came last has it, and leaves
 * it to the other one.
 */
export class RowKeys {
  readonly #keyOf: KeyOfRow;
  /** Two for each slot: what the key's hash is, and one more than the row's number, or 0, or `gone`. */
  #slots = new Uint32Array(2 * fewest);
  /** Slots that are, or were, in use. */
  #used = 0;
  #live = 0;
  /** Any other text. */
  readonly #others = new Map<string, number>();
  /** By key, the other rows that have it. */
  readonly #rivals = new Rivals();

  /** Rows are numbers below 2^32 - 2. */
  constructor(keyOf: KeyOfRow) {
    this.#keyOf = keyOf;
  }

  get(key: string): string | undefined {
    return this.#found(key)?.to;
  }

  /** The row that has it; -1 where none does. */
  row(key: string): number {
    return this.#found(key)?.row ?? -1;
  }

  /** The row has the key already. */
  set(key: string, row: number): void {
    if (!isLooked(key)) {
      this.#outdoes(key, this.#others.get(key), row);
      this.#others.set(key, row);
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
      this.#outdoes(key, other - 1, row);
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

  /** The row has it no more; another row that has the same one keeps it. */
  delete(key: string, row: number): void {
    if (this.#rivals.delete(key, row)) return;
    if (isLooked(key)) this.#free(hashOf(looked, 0), row);
    else if (this.#others.get(key) === row) this.#others.delete(key);
    const next = this.#rivals.last(key);
    if (next === undefined || this.row(key) >= 0) return;
    this.#rivals.delete(key, next);
    this.set(key, next);
  }

  #free(hash: number, row: number): void {
    for (let at = this.#first(hash); this.#slots[at + 1] !== 0; at = this.#next(at)) {
      if (this.#slots[at] !== hash || this.#slots[at + 1] !== row + 1) continue;
      this.#slots[at + 1] = gone;
      this.#live -= 1;
      return;
    }
  }

  #found(key: string): { readonly row: number; readonly to: string } | undefined {
    if (!isLooked(key)) return this.#said(this.#others.get(key), key);
    const hash = hashOf(looked, 0);
    for (let at = this.#first(hash); this.#slots[at + 1] !== 0; at = this.#next(at)) {
      const row = this.#slots[at + 1] ?? 0;
      const found = row === gone || this.#slots[at] !== hash ? undefined : this.#said(row - 1, key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #said(row: number | undefined, key: string): { readonly row: number; readonly to: string } | undefined {
    const to = row === undefined ? undefined : this.#keyOf(row, key);
    return row === undefined || to === undefined ? undefined : { row, to };
  }

  #outdoes(key: string, other: number | undefined, row: number): void {
    if (other === undefined || other === row) return;
    this.#rivals.delete(key, row);
    this.#rivals.outdone(key, other);
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
