import { withRoom } from "./room.ts";
import { Texts } from "./texts.ts";

/** A number for each of many texts that end with UUIDs, outside of the heap. */
export class TextNumbers {
  readonly #texts = new Texts();
  /** One more than the number; 0 where there is none. */
  #numbers = new Uint32Array(16);

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

/** Pairs of texts, nearly all of them UUIDs: a set key has its latest value. */
export class TextPairs {
  readonly #from = new TextNumbers();
  readonly #to = new Texts();

  get(from: string): string | undefined {
    const number = this.#from.get(from);
    return number === undefined ? undefined : this.#to.at(number);
  }

  set(from: string, to: string): void {
    this.#from.set(from, this.#to.add(to));
  }

  delete(from: string): void {
    this.#from.delete(from);
  }
}
