import type { Found, GivenKind } from "../../kinds/kind.ts";
import type { Pairing } from "../../model/plan.ts";
import type { Unpaired } from "./unpaired.ts";

/**
 * Which things of the target are surely not the twin of one that has none, among those that the plan pairs one by one: where it has no
 * twin, what stands in it could be taken for what is called the same and stands in another one.
 */
export class OthersTwins {
  readonly #pairing: Pairing;
  readonly #theirs = new Set<string>();
  readonly #under = new Map<string, GivenKind["pairedUnder"]>();

  constructor(pairing: Pairing) {
    this.#pairing = pairing;
  }

  /** What the plan gives to somebody, whether that is looked for or not. */
  named(kind: GivenKind, candidates: readonly Found[]): void {
    this.#under.set(kind.name, kind.pairedUnder);
    if (kind.pairedUnder === undefined) return;
    const words = new Set(Object.values(this.#pairing[kind.pairedUnder]));
    for (const candidate of candidates)
      if (words.has(kind.planWord?.(candidate) ?? candidate.name)) this.#theirs.add(candidate.urn);
  }

  paired({ pairedUnder }: GivenKind, twin: string): void {
    if (pairedUnder !== undefined) this.#theirs.add(twin);
  }

  /** Whether the plan gives it to somebody, or it is the twin of one that was looked for before. */
  isSomebodys(there: string): boolean {
    return this.#theirs.has(there);
  }

  /** Of what is not known nothing is sure. */
  isOther(unpaired: Unpaired | undefined, there: string): boolean {
    if (unpaired === undefined || unpaired.notKnown === true) return false;
    const under = this.#under.get(unpaired.kind);
    const isSaid = under !== undefined && Object.hasOwn(this.#pairing[under], unpaired.word ?? unpaired.name);
    return isSaid || this.#theirs.has(there);
  }
}
