/** An operation in doubt that a person decided to leave as it is. */
export interface Abandoned {
  readonly kind: string;
  /** URN at the source. */
  readonly source: string;
  readonly name: string;
  /** The step that was in doubt. */
  readonly step: string;
  /** When the person decided; ISO 8601. */
  readonly at: string;
}

/** What is abandoned, by kind and source URN: what one kind lays over an object is not what another one does. */
export class AbandonedList implements Iterable<Abandoned> {
  readonly #kinds = new Map<string, Map<string, Abandoned>>();

  constructor(entries: Iterable<Abandoned> = []) {
    for (const entry of entries) this.set(entry);
  }

  get size(): number {
    return [...this.#kinds.values()].reduce((sum, entries) => sum + entries.size, 0);
  }

  get(kind: string, source: string): Abandoned | undefined {
    return this.#kinds.get(kind)?.get(source);
  }

  has(kind: string, source: string): boolean {
    return this.get(kind, source) !== undefined;
  }

  /** Of every kind: a person may know an object by its URN alone. */
  of(source: string): readonly Abandoned[] {
    return [...this.#kinds.keys()].flatMap((kind) => this.get(kind, source) ?? []);
  }

  set(entry: Abandoned): void {
    const entries = this.#kinds.get(entry.kind) ?? new Map<string, Abandoned>();
    this.#kinds.set(entry.kind, entries.set(entry.source, entry));
  }

  delete(kind: string, source: string): void {
    this.#kinds.get(kind)?.delete(source);
  }

  /** By kind, then by source URN. */
  *[Symbol.iterator](): Iterator<Abandoned> {
    for (const [, entries] of [...this.#kinds].sort(byKey)) {
      for (const [, entry] of [...entries].sort(byKey)) yield entry;
    }
  }
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : Number(one > other);
}
