import type { Progress } from "../engine/progress.ts";

/** Between two lines: a log that tells more often is read by nobody. */
const everyMs = 10_000;

/**
 * What a log is told where no line can be drawn over and over: every stage as it begins, and now and then how far
 * it has come, so that a long run in CI is not taken for one that hangs.
 */
export class ProgressLog {
  readonly #now: () => number;
  #stage = "";
  #last: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#last = now();
  }

  /** The line to write, when there is one. */
  line(progress: Progress): string | undefined {
    switch (progress.type) {
      case "stage": {
        this.#stage = progress.stage;
        this.#last = this.#now();
        return progress.detail === undefined ? progress.stage : `${progress.stage} ${progress.detail}`;
      }
      case "read": {
        const { side, kind, count, total } = progress;
        const of = (): string => (total === undefined ? "" : ` of ${number(total)}`);
        return this.#sometimes(() => `${side}: ${number(count)}${of()} ${kind} read`);
      }
      case "work": {
        const { done, total, inFlight } = progress;
        return this.#sometimes(
          () => `${this.#stage}: ${number(done)} of ${number(total)} done, ${number(inFlight)} in flight`,
        );
      }
      case "applied":
      case "waiting":
        return undefined;
    }
  }

  #sometimes(line: () => string): string | undefined {
    const now = this.#now();
    if (now - this.#last < everyMs) return undefined;
    this.#last = now;
    return line();
  }
}

function number(value: number): string {
  return value.toLocaleString("en");
}
