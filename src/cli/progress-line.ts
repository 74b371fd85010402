import type { Progress } from "../engine/progress.ts";
import { display, shorten } from "../model/display.ts";
import type { Output } from "./io.ts";

/**
 * One line that is drawn over and over, on a terminal only and only for what takes longer than a second. Elsewhere
 * nothing is drawn, and a log is told (ProgressLog).
 */
export class ProgressLine {
  readonly #output: Output;
  readonly #now: () => number;
  readonly #started: number;
  #drawn = false;
  #last = 0;
  #stage = "";
  #text = "";

  constructor(output: Output, now: () => number) {
    this.#output = output;
    this.#now = now;
    this.#started = now();
  }

  show(progress: Progress): void {
    if (!this.#output.isTerminal) return;
    switch (progress.type) {
      case "stage":
        this.#stage = progress.detail === undefined ? progress.stage : `${progress.stage} ${progress.detail}`;
        this.#text = "";
        break;
      case "read":
        this.#text = `${progress.kind}: ${progress.count}`;
        break;
      case "work":
        this.#text = `${bar(progress.done, progress.total)}, ${progress.inFlight} in flight`;
        break;
      case "waiting":
        this.#text = `waiting ${Math.ceil(progress.ms / 1_000)} s: ${progress.reason}`;
        this.#last = 0;
        break;
      case "applied":
        return;
    }
    const now = this.#now();
    if (now - this.#started < 1_000 || now - this.#last < 80) return;
    this.#last = now;
    this.#drawn = true;
    const line = shorten(
      `${display(this.#stage)}  ${display(this.#text)}`,
      Math.max(20, this.#output.columns - 1),
    );
    this.#output.write(`\r\u001b[2K${line}`);
  }

  /** Takes the line away, before anything else is written. */
  clear(): void {
    if (!this.#drawn) return;
    this.#drawn = false;
    this.#output.write("\r\u001b[2K");
  }
}

function bar(done: number, total: number): string {
  const width = 24;
  const filled = total === 0 ? width : Math.floor((done / total) * width);
  return `[${"#".repeat(filled)}${".".repeat(width - filled)}] ${done}/${total}`;
}
