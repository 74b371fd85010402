import type { Urn } from "../model/urn.ts";

/** A stored object with its place in the order of creation, and when a list could first show it. */
export interface Row<T> {
  readonly seq: number;
  readonly value: T;
  readonly born: Birth;
}

/** Wall time in milliseconds, and the tenant's request number: what a stale list needs to know. */
export interface Birth {
  readonly at: number;
  readonly request: number;
}

type Keys<T> = (value: T) => readonly string[];

/**
 * Objects by URN, and ordered buckets of them by any key, so that a page is a slice: a bucket is sorted by
 * sequence, and a page starts at a binary search. The unnamed bucket `""` of an index holds what it lists.
 */
export class Collection<T extends { readonly urn: Urn }> {
  readonly #rows = new Map<string, Row<T>>();
  readonly #buckets = new Map<string, Row<T>[]>();
  readonly #keys: Keys<T>;
  readonly #birth: () => Birth;
  readonly #sequence: () => number;
  readonly #views = new Map<string, { version: number; rows: readonly Row<T>[] }>();
  #version = 0;

  /** `keys` names the buckets that an object belongs to, for example `""` and `item:<urn>`. */
  constructor(sequence: () => number, birth: () => Birth, keys: Keys<T>) {
    this.#sequence = sequence;
    this.#birth = birth;
    this.#keys = keys;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(urn: string): T | undefined {
    return this.#rows.get(urn)?.value;
  }

  has(urn: string): boolean {
    return this.#rows.has(urn);
  }

  *values(): Generator<T> {
    for (const row of this.#rows.values()) yield row.value;
  }

  bucket(key: string): readonly Row<T>[] {
    return this.#buckets.get(key) ?? [];
  }

  valuesIn(key: string): T[] {
    return this.bucket(key).map((row) => row.value);
  }

  /** A computed order or selection, kept until something changes: sorted and filtered lists page cheaply. */
  view(name: string, compute: () => readonly Row<T>[]): readonly Row<T>[] {
    const known = this.#views.get(name);
    if (known !== undefined && known.version === this.#version) return known.rows;
    const rows = compute();
    if (this.#views.size >= 16) this.#views.clear();
    this.#views.set(name, { version: this.#version, rows });
    return rows;
  }

  /** Adds the object, or replaces the one of the same URN in its place. */
  put(value: T): T {
    this.#version += 1;
    const before = this.#rows.get(value.urn);
    const keys = new Set(this.#keys(value));
    const keysBefore = new Set(before === undefined ? [] : this.#keys(before.value));
    // A first publish makes an older object new to the lists, so that is when it is born for them.
    const known = before !== undefined && (keysBefore.has("") || !keys.has(""));
    const born = known ? before.born : this.#birth();
    const row: Row<T> = { seq: before?.seq ?? this.#sequence(), value, born };
    this.#rows.set(value.urn, row);
    for (const key of keysBefore) if (!keys.has(key)) this.#removeFrom(key, row.seq);
    for (const key of keys) this.#insertInto(key, row);
    return value;
  }

  delete(urn: string): boolean {
    const row = this.#rows.get(urn);
    if (row === undefined) return false;
    this.#version += 1;
    this.#rows.delete(urn);
    for (const key of this.#keys(row.value)) this.#removeFrom(key, row.seq);
    return true;
  }

  #insertInto(key: string, row: Row<T>): void {
    const rows = this.#buckets.get(key);
    if (rows === undefined) {
      this.#buckets.set(key, [row]);
      return;
    }
    const index = firstAfter(rows, row.seq - 1);
    rows.splice(index, rows[index]?.seq === row.seq ? 1 : 0, row);
  }

  #removeFrom(key: string, seq: number): void {
    const rows = this.#buckets.get(key);
    if (rows === undefined) return;
    const index = firstAfter(rows, seq - 1);
    if (rows[index]?.seq === seq) rows.splice(index, 1);
    if (rows.length === 0) this.#buckets.delete(key);
  }
}

/** The index of the first row whose sequence is greater. */
export function firstAfter(rows: readonly { readonly seq: number }[], seq: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.seq ?? Infinity) > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}
