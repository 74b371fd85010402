import type { MovedKind } from "../../kinds/kind.ts";
import { Names } from "../../model/packed/names.ts";
import { withRoom } from "../../model/packed/room.ts";
import { Texts } from "../../model/packed/texts.ts";
import type { Selectable, Selectables } from "./selection.ts";

/** What is known of an object of the source without its body. */
export interface SourceRow extends Selectable {
  /** All that it refers to by a URN in a field of its own, in the order of the body. */
  readonly references: readonly string[];
  /** Of these, and of those inside longer texts, what is there on both sides, or may be. */
  readonly given: readonly string[];
  /** Moved objects that longer texts mention. */
  readonly mentions: readonly string[];
  /** There is nothing else in it that is rewritten but the keys of its own parts. */
  readonly isPlain: boolean;
}

/** What was seen of a body; what it refers to by the number of each. */
export interface Looked {
  readonly references: ReadonlySet<number>;
  readonly embedded: ReadonlySet<number>;
  readonly isPlain: boolean;
}

interface OfKind {
  readonly kind: MovedKind;
  readonly owns: boolean;
  /** Their numbers, in the order in which they came; `count` of them. */
  numbers: Uint32Array;
  count: number;
}

/** What is known of a reference by its text alone. */
const flag = { looked: 1, moved: 2, given: 4 } as const;
const none: readonly string[] = [];

/**
 * Rows of the source outside of the heap, in some tens of bytes each: URNs by number, names, and what each refers to. A
 * row that comes out is a name for its place.
 */
export class SourceRows {
  readonly #urns = new Texts();
  /** By the number of a URN. */
  #flags = new Uint16Array(16);
  readonly #names = new Names();
  /** By row: its URN, and where its references begin; those inside longer texts follow, from `#embedded` on. */
  #own = new Uint32Array(16);
  #begin = new Uint32Array(16);
  #embedded = new Uint32Array(16);
  #isPlain = new Uint16Array(16);
  #kindOf = new Uint16Array(16);
  #references = new Uint32Array(16);
  #used = 0;
  #count = 0;
  readonly #kinds: OfKind[] = [];
  readonly #byName = new Map<string, number>();
  /** What given things that a row refers to stand in. */
  readonly #holders = new Map<number, readonly string[]>();
  readonly #judge: (urn: string) => { readonly isMoved: boolean; readonly isGiven: boolean };

  /** Says of a URN what it may be. */
  constructor(judge: (urn: string) => { readonly isMoved: boolean; readonly isGiven: boolean }) {
    this.#judge = judge;
  }

  /** The number of a URN that something refers to. */
  reference(urn: string): number {
    const number = this.#urns.add(urn);
    this.#flags = withRoom(this.#flags, number);
    if (this.#flags[number] === 0) {
      const { isMoved, isGiven } = this.#judge(urn);
      this.#flags[number] = flag.looked | (isMoved ? flag.moved : 0) | (isGiven ? flag.given : 0);
    }
    return number;
  }

  add(
    { kind, owns }: { readonly kind: MovedKind; readonly owns: boolean },
    { urn, name }: { readonly urn: string; readonly name: string },
    { references, embedded, isPlain }: Looked,
  ): SourceRow {
    const row = this.#count;
    this.#count += 1;
    this.#names.add(name);
    this.#own = withRoom(this.#own, row);
    this.#begin = withRoom(this.#begin, row);
    this.#embedded = withRoom(this.#embedded, row);
    this.#isPlain = withRoom(this.#isPlain, row);
    this.#kindOf = withRoom(this.#kindOf, row);
    this.#own[row] = this.#urns.add(urn);
    this.#flags = withRoom(this.#flags, this.#own[row]);
    this.#begin[row] = this.#used;
    for (const number of references) this.#refer(number);
    this.#embedded[row] = this.#used;
    for (const number of embedded) this.#refer(number);
    this.#isPlain[row] = Number(isPlain);
    const place = this.#byName.get(kind.name) ?? this.#newKind(kind, owns);
    this.#kindOf[row] = place;
    const of = this.#kinds[place];
    if (of !== undefined) {
      of.numbers = withRoom(of.numbers, of.count);
      of.numbers[of.count] = row;
      of.count += 1;
    }
    return new Row(this, row);
  }

  holds(kind: string): boolean {
    return this.#byName.has(kind);
  }

  /** Of these kinds, one after the other, each in the order in which they came. */
  of(kinds: Iterable<string> = this.#byName.keys()): Rows {
    const numbers = Array.from(kinds, (name) => {
      const of = this.#kinds[this.#byName.get(name) ?? -1];
      return of === undefined ? new Uint32Array(0) : of.numbers.subarray(0, of.count);
    });
    const [only] = numbers;
    if (numbers.length === 1 && only !== undefined) return new Rows(this, only);
    const all = new Uint32Array(numbers.reduce((sum, some) => sum + some.length, 0));
    let at = 0;
    for (const some of numbers) {
      all.set(some, at);
      at += some.length;
    }
    return new Rows(this, all);
  }

  /** The row refers to these as well. */
  refersToo(row: number, holders: readonly string[]): void {
    this.#holders.set(row, [...(this.#holders.get(row) ?? none), ...holders]);
  }

  kind(row: number): OfKind {
    const of = this.#kinds[this.#kindOf[row] ?? 0];
    if (of === undefined) throw new RangeError(`there is no row ${row}`);
    return of;
  }

  urn(row: number): string {
    return this.#urns.at(this.#own[row] ?? 0);
  }

  name(row: number): string {
    return this.#names.at(row);
  }

  isPlain(row: number): boolean {
    return this.#isPlain[row] === 1;
  }

  holders(row: number): readonly string[] {
    return this.#holders.get(row) ?? none;
  }

  /** In fields of their own, inside longer texts, or both; with `having` those of them that may be that. */
  urns(row: number, where: "fields" | "texts" | "both", having?: "moved" | "given"): readonly string[] {
    const begin = (where === "texts" ? this.#embedded[row] : this.#begin[row]) ?? 0;
    const end =
      where === "fields" ? this.#embedded[row] : row + 1 < this.#count ? this.#begin[row + 1] : this.#used;
    const mask = having === undefined ? flag.looked : flag[having];
    const found: string[] = [];
    for (let at = begin; at < (end ?? 0); at += 1) {
      const number = this.#references[at] ?? 0;
      if (((this.#flags[number] ?? 0) & mask) !== 0) found.push(this.#urns.at(number));
    }
    return found.length === 0 ? none : found;
  }

  #refer(number: number): void {
    this.#references = withRoom(this.#references, this.#used);
    this.#references[this.#used] = number;
    this.#used += 1;
  }

  #newKind(kind: MovedKind, owns: boolean): number {
    this.#byName.set(kind.name, this.#kinds.length);
    return this.#kinds.push({ kind, owns, numbers: new Uint32Array(16), count: 0 }) - 1;
  }
}

/** Rows by their position among some; each is made when it is asked for. */
export class Rows implements Selectables {
  /** Where they stand by their number. */
  readonly table: SourceRows;
  readonly #numbers: Uint32Array;

  constructor(table: SourceRows, numbers: Uint32Array) {
    this.table = table;
    this.#numbers = numbers;
  }

  get length(): number {
    return this.#numbers.length;
  }

  at(position: number): Row | undefined {
    const number = this.#numbers[position];
    return number === undefined ? undefined : new Row(this.table, number);
  }

  *[Symbol.iterator](): Generator<Row, undefined> {
    for (const number of this.#numbers) yield new Row(this.table, number);
  }
}

class Row implements SourceRow {
  readonly number: number;
  readonly #rows: SourceRows;

  constructor(rows: SourceRows, number: number) {
    this.#rows = rows;
    this.number = number;
  }

  get selectedAs(): string {
    return this.#rows.kind(this.number).kind.selectedAs;
  }

  get kind(): string {
    return this.#rows.kind(this.number).kind.name;
  }

  get owns(): boolean {
    return this.#rows.kind(this.number).owns;
  }

  get urn(): string {
    return this.#rows.urn(this.number);
  }

  get name(): string {
    return this.#rows.name(this.number);
  }

  get references(): readonly string[] {
    return this.#rows.urns(this.number, "fields");
  }

  get refersTo(): readonly string[] {
    const moved = this.#rows.urns(this.number, "fields", "moved");
    const holders = this.#rows.holders(this.number);
    return holders.length === 0 ? moved : [...moved, ...holders];
  }

  get given(): readonly string[] {
    return this.#rows.urns(this.number, "both", "given");
  }

  get mentions(): readonly string[] {
    return this.#rows.urns(this.number, "texts", "moved");
  }

  get isPlain(): boolean {
    return this.#rows.isPlain(this.number);
  }
}
