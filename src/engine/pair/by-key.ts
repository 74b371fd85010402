import { withRoom } from "../../model/packed/room.ts";

/** Offset basis and prime of FNV-1a in 32 bits. */
const basis = 0x811c9dc5;
const prime = 0x01000193;

/**
 * Things by their keys, in a few bytes each: instead of the keys it holds their hashes, and whoever is found by one is
 * asked for the keys once more. There may be a million attributes, whose keys would take more room than they do.
 */
export class ByKey<T> {
  readonly #items: readonly T[];
  readonly #keys: (item: T) => readonly string[];
  #hashes = new Uint32Array(16);
  /** Position of the item that has each. */
  #positions = new Uint32Array(16);
  /** One more than the place of a hash; 0 is free. As many as a power of two, at most half in use. */
  readonly #slots: Int32Array;

  constructor(items: readonly T[], keys: (item: T) => readonly string[]) {
    this.#items = items;
    this.#keys = keys;
    let count = 0;
    for (const [position, item] of items.entries())
      for (const key of keys(item)) {
        this.#hashes = withRoom(this.#hashes, count);
        this.#positions = withRoom(this.#positions, count);
        this.#hashes[count] = hashOf(key);
        this.#positions[count] = position;
        count += 1;
      }
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
    const mask = this.#slots.length - 1;
    for (let place = 0; place < count; place += 1) {
      let slot = (this.#hashes[place] ?? 0) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = place + 1;
    }
  }

  /** Up to `most` of those that have this key, each once, in the order of the items. */
  get(key: string, most = Infinity): readonly T[] {
    const found = new Set<T>();
    const hash = hashOf(key);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; found.size < most; slot = (slot + 1) & mask) {
      const place = (this.#slots[slot] ?? 0) - 1;
      if (place < 0) break;
      if (this.#hashes[place] !== hash) continue;
      const item = this.#items[this.#positions[place] ?? 0];
      if (item !== undefined && this.#keys(item).includes(key)) found.add(item);
    }
    return [...found];
  }
}

function hashOf(key: string): number {
  let hash = basis;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), prime);
  // What is alike but for its end differs in the low bits as well.
  return (hash ^ (hash >>> 15)) >>> 0;
}
