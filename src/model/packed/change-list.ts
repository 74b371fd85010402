import type { Change } from "../change.ts";
import { few, listed } from "./listed.ts";
import { behindOf } from "./looked-up.ts";
import { withRoom } from "./room.ts";

/** What several changes have in common that are looked up, and how any one of them is made. */
export interface Common {
  one(number: number): Change;
}

/** What a change is made of that is looked up: what it shares, and a number of its own. */
export interface Numbered {
  readonly common: Common;
  readonly number: number;
}

/**
 * The same changes as a list. Of many it holds two numbers each, where they are looked up anyway: some ninety bytes of the
 * heap less for each, and every stage has a list of its own.
 */
export function packed<T extends Change>(changes: Iterable<T>): readonly T[] {
  const list = new ChangeList<T>();
  for (const change of changes) list.push(change);
  return list.all();
}

/** The same list with some put otherwise, by place; the list itself where there are none. */
export function withSome<T extends Change>(changes: readonly T[], put: ReadonlyMap<number, T>): readonly T[] {
  if (put.size === 0) return changes;
  return packed(changes.values().map((change, place) => put.get(place) ?? change));
}

/** What becomes of each, in a list; the list itself where nothing becomes another one. */
export function become<T extends Change>(changes: readonly T[], as: (change: T) => T): readonly T[] {
  let others: ChangeList<T> | undefined;
  for (const [place, change] of changes.entries()) {
    const other = as(change);
    if (others === undefined && other === change) continue;
    if (others === undefined) {
      others = new ChangeList();
      for (const one of changes.values().take(place)) others.push(one);
    }
    others.push(other);
  }
  return others?.all() ?? changes;
}

/** So many of them: of a million none is kept to count them. */
export function numberOf<T extends Change>(changes: readonly T[], is: (change: T) => boolean): number {
  let number = 0;
  for (const change of changes) if (is(change)) number += 1;
  return number;
}

/** One list after the other. */
export function joined<T extends Change>(...lists: readonly (readonly T[])[]): readonly T[] {
  return packed(lists.values().flatMap((list) => list));
}

/** Is filled one by one. */
export class ChangeList<T extends Change> {
  /** As long as there are few. */
  #few: T[] | undefined = [];
  #length = 0;
  readonly #common: Common[] = [];
  readonly #placeOf = new Map<Common, number>();
  /** By place: which of them it is, and below all of them what is an object of its own. */
  #which = new Uint32Array(16);
  #numbers = new Uint32Array(16);
  readonly #own: T[] = [];

  get length(): number {
    return this.#length;
  }

  push(change: T): void {
    const place = this.#length;
    this.#length += 1;
    this.#few?.push(change);
    if (this.#few === undefined) this.#put(place, change);
    else if (place >= few) {
      for (const [at, one] of this.#few.entries()) this.#put(at, one);
      this.#few = undefined;
    }
  }

  /** So many sets of what several have in common; the others are objects of their own. */
  get forms(): number {
    return this.#common.length;
  }

  /** Another one in its place. */
  set(place: number, change: T): void {
    if (this.#few === undefined) this.#put(place, change);
    else this.#few[place] = change;
  }

  /** What is put into it afterwards shows there. */
  all(): readonly T[] {
    return this.#few ?? listed(this.#length, (place) => this.#at(place));
  }

  #put(place: number, change: T): void {
    this.#which = withRoom(this.#which, place);
    this.#numbers = withRoom(this.#numbers, place);
    const numbered = numberedOf(change);
    this.#which[place] = numbered === undefined ? 0 : this.#placeIn(numbered.common) + 1;
    this.#numbers[place] = numbered === undefined ? this.#own.push(change) - 1 : numbered.number;
  }

  #placeIn(common: Common): number {
    const known = this.#placeOf.get(common);
    if (known !== undefined) return known;
    this.#placeOf.set(common, this.#common.length);
    return this.#common.push(common) - 1;
  }

  #at(place: number): T {
    const which = this.#which[place] ?? 0;
    const number = this.#numbers[place] ?? 0;
    // What went in was of this type; it comes out equal.
    return (which === 0 ? this.#own[number] : this.#common[which - 1]?.one(number)) as T;
  }
}

function numberedOf(change: Change): Numbered | undefined {
  const behind = behindOf(change);
  return behind !== undefined && "common" in behind ? (behind as Numbered) : undefined;
}
