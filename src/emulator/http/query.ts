/** The parameters of an address, and which of them its route has asked for: it knows no others. */
export class Query extends URLSearchParams {
  readonly #asked = new Set<string>();

  override get(name: string): string | null {
    this.#asked.add(name);
    return super.get(name);
  }

  override getAll(name: string): string[] {
    this.#asked.add(name);
    return super.getAll(name);
  }

  override has(name: string): boolean {
    this.#asked.add(name);
    return super.has(name);
  }

  /** The first parameter that nobody has asked for. */
  get unknown(): string | undefined {
    return [...this.keys()].find((name) => !this.#asked.has(name));
  }
}
