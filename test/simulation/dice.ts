import { Random } from "../../src/emulator/random.ts";

/** Chances that follow from a seed alone, in words that a generator is written in. */
export class Dice {
  readonly #random: Random;

  constructor(seed: number, stream: string) {
    this.#random = new Random(seed, stream);
  }

  /** At least 0, below `limit`. */
  below(limit: number): number {
    return Math.floor(this.#random.fraction() * limit);
  }

  chance(share: number): boolean {
    return this.#random.fraction() < share;
  }

  /** What stands in the list more than once comes up more often. */
  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new Error("there is nothing to pick from");
    return found;
  }

  /** Between none and `most`, each as likely. */
  some<T>(most: number, make: () => T): readonly T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}
