/** What one kind lays over an object is not what another one does. */
export interface Keyed {
  readonly kind: string;
  /** URN at the source. */
  readonly source: string;
}

/** Something about objects, by kind and source URN. */
export class KeyedList<Entry extends Keyed> implements Iterable<Entry> {
  readonly #kinds = new Map<string, Map<string, Entry>>();

  constructor(entries: Iterable<Entry> = []) {
    for (const entry of entries) this.set(entry);
  }

  get size(): number {
    return [...this.#kinds.values()].reduce((sum, entries) => sum + entries.size, 0);
  }

  get(kind: string, source: string): Entry | undefined {
    return this.#kinds.get(kind)?.get(source);
  }

  has(kind: string, source: string): boolean {
    return this.get(kind, source) !== undefined;
  }

  /** Of every kind: a person may know an object by its URN alone. */
  of(source: string): readonly Entry[] {
    return [...this.#kinds.keys()].flatMap((kind) => this.get(kind, source) ?? []);
  }

  set(entry: Entry): void {
    const entries = this.#kinds.get(entry.kind) ?? new Map<string, Entry>();
    this.#kinds.set(entry.kind, entries.set(entry.source, entry));
  }

  delete(kind: string, source: string): void {
    this.#kinds.get(kind)?.delete(source);
  }

  /** By kind, then by source URN. */
  *[Symbol.iterator](): Iterator<Entry> {
    for (const [, entries] of [...this.#kinds].sort(byKey)) {
      for (const [, entry] of [...entries].sort(byKey)) yield entry;
    }
  }
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : Number(one > other);
}
