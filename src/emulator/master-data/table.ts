import type { Birth } from "../collection.ts";

/** What every record of a table has. */
export interface Row {
  readonly id: number;
  readonly born: Birth;
}

/** Rows of one value: most values have one row, and a set a value would cost more than the rows. */
type Found = number | Set<number>;

interface Index {
  readonly rows: Map<string, Found>;
  readonly values: Map<number, string>;
}

/**
 * Rows by id, in the order of their ids, and by the value of any column that was ever asked for: an index is made at the
 * first question and kept from then on, so that a look-up never walks the table.
 */
export class Table<T extends Row> {
  readonly #rows = new Map<number, T>();
  readonly #order: T[] = [];
  readonly #indexes = new Map<string, Index>();
  readonly #views = new Map<string, { version: number; rows: readonly T[] }>();
  readonly #textOf: (row: T, column: string) => string | undefined;
  #version = 0;

  /** The text of a value, by which it is looked for; undefined when the row has none. */
  constructor(textOf: (row: T, column: string) => string | undefined) {
    this.#textOf = textOf;
  }

  get size(): number {
    return this.#order.length;
  }

  /** In the order of ids. */
  get rows(): readonly T[] {
    return this.#order;
  }

  get(id: number): T | undefined {
    return this.#rows.get(id);
  }

  /** Its id is larger than any before. */
  add(row: T): void {
    this.#rows.set(row.id, row);
    this.#order.push(row);
    this.touch(row);
  }

  delete(row: T): void {
    this.#version += 1;
    this.#rows.delete(row.id);
    const at = this.#place(row.id);
    if (this.#order[at] === row) this.#order.splice(at, 1);
    for (const index of this.#indexes.values()) forget(index, row.id);
  }

  /** After every change of a row, or of what its values are computed from. */
  touch(row: T): void {
    this.#version += 1;
    for (const [column, index] of this.#indexes) {
      const text = this.#textOf(row, column);
      if (index.values.get(row.id) === text) continue;
      forget(index, row.id);
      if (text !== undefined) remember(index, row.id, text);
    }
  }

  /** Rows with any of the values, in the order of ids. */
  find(column: string, texts: readonly string[]): T[] {
    const index = this.#indexes.get(column) ?? this.#build(column);
    const ids = new Set<number>();
    for (const text of texts) {
      const found = index.rows.get(text);
      if (typeof found === "number") ids.add(found);
      else for (const id of found ?? []) ids.add(id);
    }
    return [...ids].sort((left, right) => left - right).flatMap((id) => this.#rows.get(id) ?? []);
  }

  /** A selection or order, kept until something changes. */
  view(name: string, compute: (rows: readonly T[]) => readonly T[]): readonly T[] {
    const known = this.#views.get(name);
    if (known !== undefined && known.version === this.#version) return known.rows;
    const rows = compute(this.#order);
    if (this.#views.size >= 8) this.#views.clear();
    this.#views.set(name, { version: this.#version, rows });
    return rows;
  }

  #build(column: string): Index {
    const index: Index = { rows: new Map(), values: new Map() };
    for (const row of this.#order) {
      const text = this.#textOf(row, column);
      if (text !== undefined) remember(index, row.id, text);
    }
    this.#indexes.set(column, index);
    return index;
  }

  #place(id: number): number {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#order[middle]?.id ?? Infinity) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function remember(index: Index, id: number, text: string): void {
  index.values.set(id, text);
  const known = index.rows.get(text);
  if (known === undefined) index.rows.set(text, id);
  else if (typeof known === "number") index.rows.set(text, new Set([known, id]));
  else known.add(id);
}

function forget(index: Index, id: number): void {
  const text = index.values.get(id);
  if (text === undefined) return;
  index.values.delete(id);
  const known = index.rows.get(text);
  if (typeof known !== "object") index.rows.delete(text);
  else {
    known.delete(id);
    if (known.size === 0) index.rows.delete(text);
  }
}
