import { appliers } from "./breach.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Ended } from "./ended.ts";

/**
 * Records that a run has brought to its end, and what colleagues have made of them at the target since: under a plan
 * that reports drift and conflicts nobody overwrites that.
 */
export class Known {
  readonly #known = new Map<string, string | undefined>();
  /** By key, as the colleague left it; only what was changed while nothing was at work, and no run was interrupted. */
  readonly #theirs = new Map<string, string>();
  #isInterrupted = false;

  /** A colleague has changed it. */
  edited(key: string, text: string, isAtRest: boolean): void {
    this.#theirs.delete(key);
    // Who has put it back to what was brought has changed nothing.
    const isOther = this.#known.has(key) && this.#known.get(key) !== text;
    if (isAtRest && !this.#isInterrupted && isOther) this.#theirs.set(key, text);
  }

  /** It was removed, as the plan has it: of what comes in its place nothing is known. */
  removed(key: string): void {
    this.#known.delete(key);
    this.#theirs.delete(key);
  }

  /** What was overwritten though the plan says that it must not be. */
  after(
    { command: { does }, result, policy, isAlone }: Ended,
    now: (key: string) => string | undefined,
    /** Keys of those that both sides have alike. */
    alike: () => Iterable<string>,
  ): readonly string[] {
    const isApply = appliers.has(does);
    if (does === "rollback" || does === "resolve" || !isAlone) {
      // What was known of records is another thing by now.
      this.#known.clear();
      this.#theirs.clear();
      if (does === "rollback") this.#isInterrupted = result?.exitCode !== exitCodes.done;
      return [];
    }
    if (!isApply) return [];
    const isReported = policy.drift === "report" && policy.conflict === "report";
    const gone = [...this.#theirs].flatMap(([key, text]) => (now(key) === text ? [] : [key]));
    // Told once; and what a plan overwrites is nobody's any more.
    for (const key of gone) this.#theirs.delete(key);
    this.#isInterrupted = result === undefined || ![0, 4].includes(result.exitCode);
    // What it has begun under its plan, a later one brings to its end.
    if (this.#isInterrupted && !isReported) this.#theirs.clear();
    // What they have said and the source has come to say is known, whatever else the run has left.
    // One that selects less may have looked at none of them.
    if (!this.#isInterrupted && result?.changes.some(({ records }) => records !== undefined) === true)
      for (const key of alike())
        if (
          this.#theirs.get(key) === now(key) ||
          (result?.exitCode === exitCodes.done && !this.#theirs.has(key))
        ) {
          this.#theirs.delete(key);
          this.#known.set(key, now(key));
        }
    return isReported ? gone : [];
  }
}
