import { Texts } from "./texts.ts";
import type { UuidPool } from "./uuid-pool.ts";

/** A set of texts that end with UUIDs, outside of the heap; it runs in the order in which they came. */
export class TextSet implements ReadonlySet<string> {
  readonly #texts: Texts;

  constructor(texts: Iterable<string> = [], pool?: UuidPool) {
    this.#texts = new Texts(pool);
    for (const text of texts) this.add(text);
  }

  get size(): number {
    return this.#texts.size;
  }

  /** Whether it was not there before. */
  add(text: string): boolean {
    const { size } = this.#texts;
    this.#texts.add(text);
    return this.#texts.size > size;
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  keys(): Generator<string, undefined> {
    return this.#texts[Symbol.iterator]();
  }

  values(): Generator<string, undefined> {
    return this.keys();
  }

  *entries(): Generator<[string, string], undefined> {
    for (const text of this.#texts) yield [text, text];
  }

  [Symbol.iterator](): Generator<string, undefined> {
    return this.keys();
  }

  forEach(look: (text: string, same: string, set: ReadonlySet<string>) => void): void {
    for (const text of this.#texts) look(text, text, this);
  }
}
