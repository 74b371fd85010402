import { withRoom } from "./room.ts";
import { Texts } from "./texts.ts";

/** A number for each of many texts that end with UUIDs, outside of the heap. */
export class TextNumbers {
  readonly #texts = new Texts();
  /** One more than the number; 0 where there is none. */
  #numbers = new Uint32Array(8);

  get(text: string): number | undefined {
    const at = this.#texts.find(text);
    const number = at < 0 ? 0 : (this.#numbers[at] ?? 0);
    return number === 0 ? undefined : number - 1;
  }

  set(text: string, number: number): void {
    const at = this.#texts.add(text);
    this.#numbers = withRoom(this.#numbers, at);
    this.#numbers[at] = number + 1;
  }

  delete(text: string): void {
    const at = this.#texts.find(text);
    if (at >= 0) this.#numbers[at] = 0;
  }
}

/** Pairs of texts that end with UUIDs, outside of the heap; they run in the order in which their first texts came. */
export class TextPairs implements ReadonlyMap<string, string> {
  readonly #from = new Texts();
  /** One more than the number of what it is paired with; 0 for what is no longer paired. */
  #numbers = new Uint32Array(8);
  readonly #to = new Texts();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(from: string): string | undefined {
    return this.#at(this.#from.find(from));
  }

  has(from: string): boolean {
    const at = this.#from.find(from);
    return at >= 0 && this.#numbers[at] !== 0;
  }

  set(from: string, to: string): void {
    const at = this.#from.add(from);
    this.#numbers = withRoom(this.#numbers, at);
    if (this.#numbers[at] === 0) this.#size += 1;
    this.#numbers[at] = this.#to.add(to) + 1;
  }

  delete(from: string): void {
    const at = this.#from.find(from);
    if (at < 0 || this.#numbers[at] === 0) return;
    this.#numbers[at] = 0;
    this.#size -= 1;
  }

  *entries(): Generator<[string, string], undefined> {
    for (let at = 0; at < this.#from.size; at += 1) {
      const to = this.#at(at);
      if (to !== undefined) yield [this.#from.at(at), to];
    }
  }

  *keys(): Generator<string, undefined> {
    for (const [from] of this.entries()) yield from;
  }

  *values(): Generator<string, undefined> {
    for (const [, to] of this.entries()) yield to;
  }

  [Symbol.iterator](): Generator<[string, string], undefined> {
    return this.entries();
  }

  forEach(look: (to: string, from: string, pairs: ReadonlyMap<string, string>) => void): void {
    for (const [from, to] of this.entries()) look(to, from, this);
  }

  #at(at: number): string | undefined {
    const number = at < 0 ? 0 : (this.#numbers[at] ?? 0);
    return number === 0 ? undefined : this.#to.at(number - 1);
  }
}
