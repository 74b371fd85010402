import type { Progress } from "../engine/progress.ts";
import { display, shorten } from "../model/display.ts";
import { roughly } from "../model/duration.ts";
import { plural } from "../model/plural.ts";
import type { ClientEvent } from "../service/index.ts";
import type { Output } from "./io.ts";

/** Between two drawings: an eye sees no more. */
const everyMs = 80;
/** A rate over less than that says nothing of what is to come. */
const settledMs = 1_000;

interface List {
  readonly name: string;
  readonly received: number;
  readonly total: number | undefined;
}

/**
 * One line that is drawn over and over, on a terminal only: what is done, how much of it, how quickly, and how many
 * answers are awaited. Elsewhere nothing is drawn, and a log is told (ProgressLog).
 */
export class ProgressLine {
  readonly #output: Output;
  readonly #now: () => number;
  #drawn = false;
  #last = Number.NEGATIVE_INFINITY;
  #stage = "";
  #since: number;
  #text: string | undefined;
  #work: Extract<Progress, { readonly type: "work" }> | undefined;
  #atFirst = 0;
  #awaited = 0;
  /** The list that came last, by environment, and all that came of any. */
  readonly #lists = new Map<string, Map<string, List>>();

  constructor(output: Output, now: () => number) {
    this.#output = output;
    this.#now = now;
    this.#since = now();
  }

  show(progress: Progress): void {
    switch (progress.type) {
      case "stage":
        this.#begin(progress.detail === undefined ? progress.stage : `${progress.stage} ${progress.detail}`);
        break;
      case "work":
        if (this.#work === undefined) [this.#atFirst, this.#since] = [progress.done, this.#now()];
        this.#work = progress;
        this.#text = undefined;
        break;
      case "waiting":
        this.#text = `waiting ${roughly(progress.ms)}: ${progress.reason}`;
        this.#last = Number.NEGATIVE_INFINITY;
        break;
      case "read":
      case "applied":
        return;
    }
    this.#draw();
  }

  /** What the clients tell of their requests. */
  hear(event: ClientEvent): void {
    switch (event.type) {
      case "sent":
        this.#awaited += 1;
        break;
      case "ended":
        this.#awaited -= 1;
        break;
      case "listed": {
        if (!this.#output.isTerminal) return;
        const { environment, path, received, total } = event;
        const lists = this.#lists.get(environment) ?? new Map<string, List>();
        const name = nameOf(path);
        lists.delete(name); // The one that came last stands last.
        this.#lists.set(environment, lists.set(name, { name, received, total }));
        this.#text = undefined;
        break;
      }
      default:
        return;
    }
    this.#draw();
  }

  /** For whoever interrupts: how many answers are awaited, and how many objects would not be begun. */
  state(): { readonly awaited: number; readonly notStarted: number } {
    const { total = 0, done = 0, inFlight = 0 } = this.#work ?? {};
    return { awaited: this.#awaited, notStarted: Math.max(0, total - done - inFlight) };
  }

  /** Takes the line away, before anything else is written. */
  clear(): void {
    if (!this.#drawn) return;
    this.#drawn = false;
    this.#output.write("\r\u001b[2K");
  }

  #isReading(): boolean {
    return this.#lists.size > 0 && this.#work === undefined && this.#text === undefined;
  }

  #begin(stage: string): void {
    this.#stage = stage;
    this.#since = this.#now();
    this.#text = undefined;
    this.#work = undefined;
    this.#last = Number.NEGATIVE_INFINITY;
    this.#lists.clear();
  }

  #draw(): void {
    if (!this.#output.isTerminal) return;
    const now = this.#now();
    if (now - this.#last < everyMs) return;
    this.#last = now;
    this.#drawn = true;
    const parts = [
      // Both sides are read at once, whichever stage began last.
      this.#isReading() ? "reading" : this.#stage,
      ...(this.#text === undefined ? this.#parts(now - this.#since) : [this.#text]),
      this.#awaited > 0 ? `waiting for ${plural(this.#awaited, "answer")}` : "",
    ];
    const text = parts
      .filter((part) => part !== "")
      .map(display)
      .join("  ");
    this.#output.write(`\r\u001b[2K${shorten(text, Math.max(20, this.#output.columns - 1))}`);
  }

  #parts(elapsedMs: number): readonly string[] {
    if (this.#work !== undefined) {
      const { done, total } = this.#work;
      return [bar(done, total), ...pace(done - this.#atFirst, total - done, elapsedMs)];
    }
    const lists = [...this.#lists.values()].flatMap((ofOne) => [...ofOne.values()]);
    const received = lists.reduce((sum, list) => sum + list.received, 0);
    const isKnown = lists.every(({ total }) => total !== undefined);
    const left = lists.reduce((sum, list) => sum + Math.max(0, (list.total ?? 0) - list.received), 0);
    return [
      ...[...this.#lists].map(
        ([environment, ofOne]) => `${environment}: ${listText([...ofOne.values()].at(-1))}`,
      ),
      ...pace(received, isKnown ? left : undefined, elapsedMs),
    ];
  }
}

/** `rules` of `/api/data-quality/v1/rules`: the last word that names a collection. */
function nameOf(path: string): string {
  const words = path.split("/").filter((word) => word !== "" && word !== "filter" && !word.includes("%3A"));
  return words.at(-1) ?? path;
}

function listText(list: List | undefined): string {
  if (list === undefined) return "";
  const { name, received, total } = list;
  return `${name} ${number(received)}${total === undefined ? "" : ` of ${number(Math.max(total, received))}`}`;
}

/** So many a second, and how long that takes for what is left. */
function pace(done: number, left: number | undefined, elapsedMs: number): readonly string[] {
  if (elapsedMs < settledMs || done <= 0) return [];
  const perSecond = (done * 1_000) / elapsedMs;
  const rate = `${number(Math.max(1, Math.round(perSecond)))}/s`;
  return left === undefined || left === 0 ? [rate] : [rate, `${roughly((left * 1_000) / perSecond)} left`];
}

function bar(done: number, total: number): string {
  const width = 24;
  const filled = total === 0 ? width : Math.floor((done / total) * width);
  return `[${"#".repeat(filled)}${".".repeat(width - filled)}] ${number(done)} of ${number(total)}`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}
