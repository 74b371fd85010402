import type { Found } from "../../kinds/kind.ts";
import { isObject } from "../../model/json.ts";
import { parseJson } from "../../model/json-text.ts";
import { Blobs } from "../../model/packed/blobs.ts";
import { withRoom } from "../../model/packed/room.ts";
import { Texts } from "../../model/packed/texts.ts";

/** Characters of a record as JSON. Larger ones are few, and looked into often: they are kept as they are. */
const small = 400;

/**
 * Given things by URN, in the order in which they first came. There may be a million attributes, of which nobody asks
 * again but for one or another: such a record is kept as bytes, and comes out as an object of its own each time.
 */
export class FoundTable implements ReadonlyMap<string, Found> {
  readonly #urns = new Texts();
  /** One more than the position of each. */
  #places = new Float64Array(16);
  readonly #blobs = new Blobs();
  readonly #large = new Map<number, Found>();
  #bytes = Buffer.allocUnsafe(3 * small);
  #last: { readonly number: number; readonly found: Found } | undefined;

  get size(): number {
    return this.#urns.size;
  }

  set(found: Found): void {
    const number = this.#urns.add(found.urn);
    this.#places = withRoom(this.#places, number);
    const place = this.#places[number] ?? 0;
    this.#last = undefined;
    const text = JSON.stringify([found.name, found.body]);
    if (text.length > small || !isObject(found.body)) {
      this.#large.set(number, found);
      return;
    }
    this.#large.delete(number);
    const length = this.#bytes.write(text);
    const position =
      place > 0 ? this.#blobs.replace(place - 1, this.#bytes, length) : this.#blobs.add(this.#bytes, length);
    this.#places[number] = position + 1;
  }

  get(urn: string): Found | undefined {
    const number = this.#urns.find(urn);
    return number < 0 ? undefined : this.#found(number);
  }

  has(urn: string): boolean {
    return this.#urns.has(urn);
  }

  keys(): Generator<string, undefined> {
    return this.#urns[Symbol.iterator]();
  }

  *values(): Generator<Found, undefined> {
    for (let number = 0; number < this.#urns.size; number += 1) yield this.#found(number);
  }

  *entries(): Generator<[string, Found], undefined> {
    for (const found of this.values()) yield [found.urn, found];
  }

  [Symbol.iterator](): Generator<[string, Found], undefined> {
    return this.entries();
  }

  forEach(look: (found: Found, urn: string, table: ReadonlyMap<string, Found>) => void): void {
    for (const found of this.values()) look(found, found.urn, this);
  }

  #found(number: number): Found {
    const large = this.#large.get(number);
    if (large !== undefined) return large;
    if (this.#last?.number === number) return this.#last.found;
    const bytes = this.#blobs.at((this.#places[number] ?? 0) - 1);
    const [name, body] = parseJson(bytes.toString()) as [string, Found["body"]];
    const found = { urn: this.#urns.at(number), name, body };
    this.#last = { number, found };
    return found;
  }
}
