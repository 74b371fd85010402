/** A full run ends within this time on a machine that does nothing else, and does less on one that is busy. */
const budgetMs = 170_000;

/** How much is measured: all of it while there is time, once each when there is none, small with --quick. */
export class Pace {
  readonly quick: boolean;
  readonly #began = performance.now();

  constructor(quick: boolean) {
    this.quick = quick;
  }

  get leftMs(): number {
    return budgetMs - (performance.now() - this.#began);
  }

  /** `wanted` rounds, or one when what is left of the time is needed by what comes after. */
  rounds(wanted: number, neededAfterMs: number): number {
    return this.quick || this.leftMs < neededAfterMs ? 1 : wanted;
  }
}
