/** A gate a kind: it opens when the run has no more to write of it, and all of them at the end of the run. */
export class Gates {
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();

  open(kind: string): void {
    this.#gate(kind).resolve();
  }

  async passed(kinds: Iterable<string>): Promise<void> {
    for (const kind of kinds) await this.#gate(kind).promise;
  }

  #gate(kind: string): PromiseWithResolvers<void> {
    let gate = this.#gates.get(kind);
    if (gate === undefined) {
      gate = Promise.withResolvers<void>();
      this.#gates.set(kind, gate);
    }
    return gate;
  }
}
