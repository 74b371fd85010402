import type { Trouble } from "../kinds/trouble.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ExitCode, Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import type { Failure } from "./failure.ts";
import { failureOf } from "./failure.ts";

/** Said where what a run has done cannot be taken out of the journal. */
export const unordered = "What was done could not be put in order; the journal has it.";

/**
 * What is done once something was written: whatever hinders it is told beside what was written, and never in its place.
 * A defect of ours is thrown all the same.
 */
export class AfterWrites {
  readonly #failed: { readonly said: string; readonly failure: Failure }[] = [];
  readonly #isSaidOnce: boolean;

  /** `isSaidOnce`: what was done would be refused if it were said again, since it is done. */
  constructor({ isSaidOnce = false }: { readonly isSaidOnce?: boolean } = {}) {
    this.#isSaidOnce = isSaidOnce;
  }

  /** `said`: a sentence for who reads no further, such as `It could not be verified.` Undefined where it failed. */
  async tried<T>(said: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(error, true);
      if (failure === undefined) throw error;
      this.add(said, failure);
      return undefined;
    }
  }

  add(said: string, failure: Failure): void {
    this.#failed.push({ said, failure });
  }

  /** The first that failed, as what a run cannot go on after. */
  get fatal(): Trouble | undefined {
    const [first] = this.#failed;
    if (first === undefined) return undefined;
    const reason = first.failure.diagnostics[0]?.summary ?? first.said;
    return { state: "unknown", reason, pointers: [], notOffered: false, absent: false };
  }

  /** The result with all that failed. */
  onto(result: Result): Result {
    if (this.#failed.length === 0) return result;
    const codes = this.#failed.map(({ failure }) => failure.exitCode);
    return {
      ...result,
      exitCode: codes.reduce(worse, result.exitCode),
      diagnostics: [
        ...result.diagnostics,
        ...this.#failed.flatMap(({ failure }) => failure.diagnostics.map((found) => this.#advised(found))),
      ],
      headline: [result.headline ?? "", ...this.#failed.map(({ said }) => said)]
        .filter((line) => line !== "")
        .join(" "),
    };
  }

  #advised(found: Diagnostic): Diagnostic {
    const isDone =
      "What was done is not to be said again: it is in the journal, and the next run puts it in order.";
    // "Run the same command again" would be refused.
    const act = (found.suggestion ?? "").split(/(?<=[.!])\s+/u).filter((part) => !/\bagain\b/u.test(part));
    return this.#isSaidOnce ? { ...found, suggestion: [...act, isDone].join(" ").trim() } : found;
  }
}

/** `end` is done whatever happens; where `work` has a result, that it failed is told with it. */
export async function thenEnd(work: () => Promise<Result>, end: () => Promise<void>): Promise<Result> {
  let result: Result | undefined;
  const after = new AfterWrites();
  try {
    result = await work();
  } finally {
    if (result === undefined) await end();
    else await after.tried("Logs of rows could not be closed.", end);
  }
  return after.onto(result);
}

/** What a result has come to when something else went wrong besides. */
export function worse(own: ExitCode, other: ExitCode): ExitCode {
  // "Another run holds the lock" and "nothing was written" would be said of a run that did its part.
  const also = other === exitCodes.locked || other === exitCodes.usage ? exitCodes.partial : other;
  return order.find((code) => code === own || code === also) ?? own;
}

/** The worst first. */
const order: readonly ExitCode[] = [
  exitCodes.permission,
  exitCodes.failed,
  exitCodes.inDoubt,
  exitCodes.interrupted,
  exitCodes.expectation,
  exitCodes.partial,
];
