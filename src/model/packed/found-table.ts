import type { Found } from "../found.ts";
import type { Json } from "../json.ts";
import { fromEntries } from "../json.ts";
import { parseJson } from "../json-text.ts";
import { isUrn } from "../urn.ts";
import { Blobs } from "./blobs.ts";
import { behindOf, lookedUp } from "./looked-up.ts";
import { withRoom } from "./room.ts";
import { Texts } from "./texts.ts";

/** Characters of a record as JSON. Larger ones are few, and looked into often: they are kept as they are. */
const small = 400;

/** Used by all tables, and by none for longer than a call. */
const bytes = Buffer.allocUnsafeSlow(3 * small);

/** Records of one kind look alike; what has a look of its own is written out. */
const mostForms = 50;

/** Other tables whose records may stand in one; from then on records are copied. */
const mostHomes = 65_535;

/** What a value is: the record's own URN or name, another URN, or anything else. */
type What = "urn" | "name" | "text" | "value";

/** A record of a table, for whoever has all that is wanted of it. */
interface Place {
  readonly table: FoundTable;
  readonly number: number;
  /** Whether another table may refer to the bytes here, and keep this table for that: it wants most of what is here. */
  readonly isShared: boolean;
}

/**
 * Given things by URN, in the order in which they first came. There may be a million attributes, of which nobody asks
 * again but for one or another: such a record is kept as bytes, and comes out as an object of its own each time. What
 * comes from another table is not written down a second time.
 */
export class FoundTable implements ReadonlyMap<string, Found> {
  readonly #urns = new Texts();
  /** One more than the position of each, in its home. */
  #places = new Float64Array(8);
  readonly #homes: FoundTable[] = [];
  /** One more than the place of the table in which a record is written down; 0, or nothing at all, for this one. */
  #homeOf = new Uint16Array(0);
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
    const at = behindOf(found);
    // Its own word on itself changes nothing.
    if (isPlace(at) && at.table === this) return;
    const number = this.#urns.add(found.urn);
    this.#places = withRoom(this.#places, number);
    this.#last = undefined;
    if (isPlace(at) && this.#isElsewhere(at, number)) return;
    if (this.#home(number) !== this) {
      this.#homeOf[number] = 0;
      this.#places[number] = 0;
    }
    const place = this.#places[number] ?? 0;
    const text = this.#text(found);
    if (text.length > small) {
      // What looks itself up in another table may come to look itself up here.
      this.#large.set(number, isPlace(at) ? { ...found } : found);
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
    const numbers: number[] = [];
    for (let number = 0; number < this.#urns.size; number += 1)
      if (isWanted(this.#found(number))) numbers.push(number);
    const isShared = 2 * numbers.length >= this.#urns.size;
    return numbers.map((number) => this.#large.get(number) ?? make({ table: this, number, isShared }));
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
    const home = this.#home(number);
    const kept = home.#blobs.at((this.#places[number] ?? 0) - 1).toString();
    const found = home.#read(this.#urns.at(number), parseJson(kept) as readonly Json[]);
    this.#last = { number, found };
    return found;
  }

  #home(number: number): FoundTable {
    return this.#homes[(this.#homeOf[number] ?? 0) - 1] ?? this;
  }

  /** Refers to what another table has written down; what stands there is never written over from then on. */
  #isElsewhere(at: Place, number: number): boolean {
    if (!at.isShared || at.table.#large.has(at.number)) return false;
    const home = at.table.#home(at.number);
    if (home === this) return false;
    const known = this.#homes.indexOf(home);
    if (known < 0 && this.#homes.length === mostHomes) return false;
    if (known < 0) home.#blobs.hold();
    const which = known < 0 ? this.#homes.push(home) : known + 1;
    this.#homeOf = withRoom(this.#homeOf, number);
    this.#homeOf[number] = which;
    this.#places[number] = at.table.#places[at.number] ?? 0;
    this.#large.delete(number);
    return true;
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

const make = lookedUp<Found, Place>({
  names: () => fields,
  field: ({ table, number }, name) => table.field(number, name),
});

function isPlace(of: object | undefined): of is Place {
  return of !== undefined && "table" in of && of.table instanceof FoundTable;
}
