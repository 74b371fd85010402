/** In place of the platform's `Headers`, of which a request makes six: names in small letters, one value each. */
export class SimulatedHeaders {
  readonly #values = new Map<string, string>();

  constructor(from: SimulatedHeaders | Readonly<Record<string, string>> = {}) {
    const pairs = from instanceof SimulatedHeaders ? from.entries() : Object.entries(from);
    for (const [name, value] of pairs) this.set(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  /** What cannot stand in a header is refused by the platform as well. */
  set(name: string, value: string): void {
    if (/[\0\r\n]|[^\0-\u00ff]/.test(value))
      throw new TypeError(`the header ${name} cannot hold ${JSON.stringify(value)}`);
    this.#values.set(name.toLowerCase(), value);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  entries(): IterableIterator<[string, string]> {
    return this.#values.entries();
  }

  forEach(what: (value: string, name: string) => void): void {
    for (const [name, value] of this.#values) what(value, name);
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}
