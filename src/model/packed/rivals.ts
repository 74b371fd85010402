/** Rows that say of one thing what another row says as well: whoever lets go of it leaves it to the one that came last. */
export class Rivals {
  readonly #rows = new Map<string, number[]>();

  /** The row that had it, by its number, where another one has it from now on. */
  outdone(of: string, row: number): void {
    this.#rows.set(of, [...(this.#rows.get(of) ?? []), row]);
  }

  last(of: string): number | undefined {
    return this.#rows.get(of)?.at(-1);
  }

  /** Whether it was one; it is none any more. */
  delete(of: string, row: number): boolean {
    const rows = this.#rows.get(of) ?? [];
    const others = rows.filter((other) => other !== row);
    if (others.length === rows.length) return false;
    if (others.length === 0) this.#rows.delete(of);
    else this.#rows.set(of, others);
    return true;
  }
}
