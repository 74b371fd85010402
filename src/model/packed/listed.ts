import { withRoom } from "./room.ts";

/** So many are held as they are: to make each of them anew takes longer than all else with it. */
export const few = 16_384;

interface Listing<T> {
  readonly length: number;
  readonly at: (place: number) => T;
}

/**
 * A list that holds none of what is in it: there may be a million. To whoever gets one it is a list like any other, that
 * is not to be changed; what comes out of it is equal each time and never the same. What is made of it by `map` and
 * `filter` holds what it was made of: who keeps that makes a listing of it again.
 */
export function listed<T>(length: number, at: (place: number) => T): readonly T[] {
  if (length <= few) return Array.from({ length }, (_, place) => at(place));
  return new Proxy([] as T[], new Handler({ length, at }));
}

/** What becomes of each, whenever it is asked for where there are many. */
export function mapped<T, U>(list: readonly T[], become: (one: T) => U): readonly U[] {
  const at = lookUp(list);
  return listed(list.length, (place) => become(at(place)));
}

/** One list after the other, of which none is copied where there are many. */
export function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const ends: number[] = [];
  for (const list of lists) ends.push((ends.at(-1) ?? 0) + list.length);
  const looks = lists.map(lookUp);
  return listed(ends.at(-1) ?? 0, (place) => {
    const which = ends.findIndex((end) => place < end);
    // Every place below the last end is in one of them.
    return looks[which]?.(place - (ends[which - 1] ?? 0)) as T;
  });
}

/** Some places of a list, in an order of their own. */
export class Selection {
  #places = new Uint32Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(place: number): void {
    this.put(this.#length, place);
  }

  /** At the end, or in the place of another one. */
  put(at: number, place: number): void {
    this.#places = withRoom(this.#places, at);
    this.#places[at] = place;
    this.#length = Math.max(this.#length, at + 1);
  }

  values(): readonly number[] {
    return listed(this.#length, (at) => this.#places[at] ?? 0);
  }

  /** Those of a list that has all these places. */
  of<T>(list: readonly T[]): readonly T[] {
    const look = lookUp(list);
    return listed(this.#length, (at) => look(this.#places[at] ?? 0));
  }
}

/** Places of a list by what is alike of them; all of them, or these. */
export function selectedBy<T, K>(
  list: readonly T[],
  keyOf: (one: T) => K,
  places: Iterable<number> = list.keys(),
): ReadonlyMap<K, Selection> {
  const found = new Map<K, Selection>();
  for (const place of places) {
    const key = keyOf(list[place] as T);
    const selection = found.get(key) ?? new Selection();
    found.set(key, selection);
    selection.push(place);
  }
  return found;
}

/** What a list holds none of what is in it knows its places by; nobody else has the symbol. */
const behind = Symbol("behind");

/** What is in a place that the list has: one list of a list of a list is asked at once, and not through each of them. */
function lookUp<T>(list: readonly T[]): (place: number) => T {
  const listing = (list as { readonly [behind]?: Listing<T> })[behind];
  return listing?.at ?? ((place) => list[place] as T);
}

class Handler<T> implements ProxyHandler<T[]> {
  readonly #of: Listing<T>;

  constructor(of: Listing<T>) {
    this.#of = of;
  }

  get(target: T[], name: string | symbol, list: unknown): unknown {
    if (name === Symbol.iterator || name === "values") return this.#each;
    if (name === "length") return this.#of.length;
    if (name === "entries") return this.#entries;
    if (name === behind) return this.#of;
    const place = this.#placeOf(name);
    return place === undefined ? Reflect.get(target, name, list) : this.#of.at(place);
  }

  has(target: T[], name: string | symbol): boolean {
    return this.#placeOf(name) !== undefined || Reflect.has(target, name);
  }

  ownKeys(target: T[]): (string | symbol)[] {
    return [
      ...Array.from({ length: this.#of.length }, (_, place) => String(place)),
      ...Reflect.ownKeys(target),
    ];
  }

  getOwnPropertyDescriptor(target: T[], name: string | symbol): PropertyDescriptor | undefined {
    const place = this.#placeOf(name);
    if (place !== undefined)
      return { value: this.#of.at(place), enumerable: true, configurable: true, writable: false };
    const own = Reflect.getOwnPropertyDescriptor(target, name);
    return name === "length" && own !== undefined ? { ...own, value: this.#of.length } : own;
  }

  set(): boolean {
    return false;
  }

  defineProperty(): boolean {
    return false;
  }

  deleteProperty(): boolean {
    return false;
  }

  setPrototypeOf(): boolean {
    return false;
  }

  preventExtensions(): boolean {
    return false;
  }

  readonly #each = (): Generator<T, undefined> => each(this.#of);
  readonly #entries = (): Generator<[number, T], undefined> => entries(this.#of);

  #placeOf(name: string | symbol): number | undefined {
    if (typeof name === "symbol") return undefined;
    const first = name.charCodeAt(0);
    if (first < 0x30 || first > 0x39) return undefined;
    const place = Number(name);
    return place < this.#of.length && String(place) === name ? place : undefined;
  }
}

function* each<T>({ length, at }: Listing<T>): Generator<T, undefined> {
  for (let place = 0; place < length; place += 1) yield at(place);
}

function* entries<T>({ length, at }: Listing<T>): Generator<[number, T], undefined> {
  for (let place = 0; place < length; place += 1) yield [place, at(place)];
}
