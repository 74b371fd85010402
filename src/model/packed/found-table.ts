import type { Found } from "../found.ts";
import type { Json } from "../json.ts";
import { fromEntries } from "../json.ts";
import { parseJson } from "../json-text.ts";
import { isUrn } from "../urn.ts";
import { Blobs } from "./blobs.ts";
import { lookedUp } from "./looked-up.ts";
import { withRoom } from "./room.ts";
import { Texts } from "./texts.ts";

/** Characters of a record as JSON. Larger ones are few, and looked into often: they are kept as they are. */
const small = 400;

/** Used by all tables, and by none for longer than a call. */
const bytes = Buffer.allocUnsafeSlow(3 * small);

/** Records of one kind look alike; what has a look of its own is written out. */
const mostForms = 50;

/** What a value is: the record's own URN or name, another URN, or anything else. */
type What = "urn" | "name" | "text" | "value";

/**
 * Given things by URN, in the order in which they first came. There may be a million attributes, of which nobody asks
 * again but for one or another: such a record is kept as bytes, and comes out as an object of its own each time.
 */
export class FoundTable implements ReadonlyMap<string, Found> {
  readonly #urns = new Texts();
  /** One more than the position of each. */
  #places = new Float64Array(8);
  readonly #blobs = new Blobs();
  readonly #large = new Map<number, Found>();
  /** What records look like, field by field. */
  readonly #forms: string[] = [];
  readonly #fields: (readonly (readonly [field: string, what: What])[])[] = [];
  /** URNs that records name, many of them the same one. */
  readonly #texts = new Texts();
  #last: { readonly number: number; readonly found: Found } | undefined;

  get size(): number {
    return this.#urns.size;
  }

  set(found: Found): void {
    const number = this.#urns.add(found.urn);
    this.#places = withRoom(this.#places, number);
    const place = this.#places[number] ?? 0;
    this.#last = undefined;
    const text = this.#text(found);
    if (text.length > small) {
      this.#large.set(number, found);
      return;
    }
    this.#large.delete(number);
    const length = bytes.write(text);
    const position =
      place > 0 ? this.#blobs.replace(place - 1, bytes, length) : this.#blobs.add(bytes, length);
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

  /** Those that are wanted, each looked up in the table when it is asked for its fields. */
  all(isWanted: (found: Found) => boolean = () => true): Found[] {
    const all: Found[] = [];
    for (let number = 0; number < this.#urns.size; number += 1)
      if (isWanted(this.#found(number))) all.push(this.#large.get(number) ?? make({ table: this, number }));
    return all;
  }

  /** A field of the record with this number. */
  field(number: number, name: string): Found[keyof Found] | undefined {
    if (name === "urn") return this.#urns.at(number);
    return name === "name" || name === "body" ? this.#found(number)[name] : undefined;
  }

  #found(number: number): Found {
    const large = this.#large.get(number);
    if (large !== undefined) return large;
    if (this.#last?.number === number) return this.#last.found;
    const kept = this.#blobs.at((this.#places[number] ?? 0) - 1).toString();
    const found = this.#read(this.#urns.at(number), parseJson(kept) as readonly Json[]);
    this.#last = { number, found };
    return found;
  }

  /**
   * The number of its form, its name, and those of its values that are not told by that: nearly all attributes have one
   * form, and say no more than in which item they stand.
   */
  #text({ urn, name, body }: Found): string {
    const values: Json[] = [];
    const form: [field: string, what: What][] = [];
    for (const [field, value] of Object.entries(body)) {
      const what = value === urn ? "urn" : value === name ? "name" : isUrn(value) ? "text" : "value";
      form.push([field, what]);
      if (what === "text") values.push(this.#texts.add(value as string));
      else if (what === "value") values.push(value);
    }
    const key = JSON.stringify(form);
    const number = this.#forms.indexOf(key);
    if (number < 0 && this.#forms.length === mostForms) return JSON.stringify([-1, name, body]);
    if (number < 0) this.#fields.push(form);
    return JSON.stringify([number < 0 ? this.#forms.push(key) - 1 : number, name, ...values]);
  }

  #read(urn: string, [number, called, ...values]: readonly Json[]): Found {
    const name = called as string;
    if (number === -1) return { urn, name, body: values[0] as Found["body"] };
    let next = 0;
    const body = (this.#fields[number as number] ?? []).map(([field, what]): [string, Json] => {
      if (what === "urn") return [field, urn];
      if (what === "name") return [field, name];
      const value = values[next] ?? null;
      next += 1;
      return [field, what === "text" ? this.#texts.at(value as number) : value];
    });
    return { urn, name, body: fromEntries(body) };
  }
}

const fields: readonly (keyof Found)[] = ["urn", "name", "body"];

const make = lookedUp<Found, { readonly table: FoundTable; readonly number: number }>({
  names: () => fields,
  field: ({ table, number }, name) => table.field(number, name),
});
