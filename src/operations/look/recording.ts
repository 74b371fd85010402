import type { Scratch } from "../../model/packed/spool.ts";
import { Spool } from "../../model/packed/spool.ts";
import type { AskedFor, Heard, Tape } from "../../service/index.ts";

export type Side = "source" | "target";

/** A read of a run, and what it was answered. */
export interface HeardRead extends AskedFor, Heard {
  readonly side: Side;
  /** Both sides were read: it was asked by the comparison. */
  readonly isLater?: true;
}

/** Of more reads nothing is kept: they are in memory while the run goes on. */
const mostReads = 50_000;

/** What a run reads of both sides, from when it is started to when something is written; and what was read ahead for it. */
export class Recording {
  readonly of: Readonly<Record<Side, Tape>> = { source: this.#tape("source"), target: this.#tape("target") };
  #reads: HeardRead[] | undefined;
  #isLater = false;
  #kept: Kept | undefined;

  start(): void {
    this.#reads = [];
  }

  /** What is heard from now on is asked by the comparison; what was read ahead, and not asked for, is not believed any more. */
  compares(): void {
    this.#isLater = true;
    this.#kept = undefined;
  }

  /** All that was heard; undefined where it is not all that the run knows, or not all that it did. */
  stop(): readonly HeardRead[] | undefined {
    const reads = this.#reads;
    this.#reads = undefined;
    this.#kept = undefined;
    return reads;
  }

  /** Answers that were read ahead, with room on disk for them. */
  keepAhead(open: () => Scratch): Kept {
    this.#kept = new Kept(open);
    return this.#kept;
  }

  #tape(side: Side): Tape {
    // The clients ask for it before anything was started, and after it has ended.
    const isOn = (): boolean => this.#reads !== undefined;
    return {
      get isOn() {
        return isOn();
      },
      take: (asked) => this.#kept?.take(side, asked),
      heard: (asked, { status, print }) => {
        this.#reads?.push({ side, ...asked, status, print, ...(this.#isLater ? { isLater: true } : {}) });
        if ((this.#reads?.length ?? 0) > mostReads) this.#reads = undefined;
      },
      miss: () => {
        this.#reads = undefined;
      },
    };
  }
}

/** Answers by what was asked, each for whoever asks that next, and once. */
export class Kept {
  readonly #texts: Spool;
  readonly #answers = new Map<string, (Heard & { readonly place: number })[]>();

  constructor(open: () => Scratch) {
    this.#texts = new Spool(open);
  }

  keep(side: Side, asked: AskedFor, { status, print, text }: Heard & { readonly text: string }): void {
    const key = keyOf(side, asked);
    const answers = this.#answers.get(key) ?? [];
    answers.push({ status, print, place: this.#texts.add(text) });
    this.#answers.set(key, answers);
  }

  take(side: Side, asked: AskedFor): (Heard & { readonly text: string }) | undefined {
    const next = this.#answers.get(keyOf(side, asked))?.shift();
    if (next === undefined) return undefined;
    const { status, print, place } = next;
    return { status, print, text: this.#texts.at(place) };
  }
}

function keyOf(side: Side, { method, path, query, body = "" }: AskedFor): string {
  return [side, method, path + query, body].join(" ");
}
