import { Blobs } from "./blobs.ts";
import { withRoom } from "./room.ts";

/** Used by all tables, and by none for longer than a call; a longer text has bytes of its own. */
const usual = Buffer.allocUnsafeSlow(1 << 10);

/** Texts of any sort by number, in the order in which they came, outside of the heap. */
export class Names {
  #size = 0;
  readonly #blobs = new Blobs();
  #positions = new Uint32Array(8);
  /** What is not well-formed would not come back as it was. */
  readonly #others = new Map<number, string>();
  #bytes = usual;

  add(text: string): void {
    const number = this.#size;
    this.#size += 1;
    this.#positions = withRoom(this.#positions, number);
    if (!text.isWellFormed()) {
      this.#others.set(number, text);
      return;
    }
    // A unit of UTF-16 takes three bytes at most.
    if (this.#bytes.length < 3 * text.length) this.#bytes = Buffer.allocUnsafe(4 * text.length);
    this.#positions[number] = this.#blobs.add(this.#bytes, this.#bytes.write(text));
  }

  at(number: number): string {
    if (number < 0 || number >= this.#size) throw new RangeError(`there is no name ${number}`);
    return this.#others.get(number) ?? this.#blobs.at(this.#positions[number] ?? 0).toString();
  }
}
