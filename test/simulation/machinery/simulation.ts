import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import { Random } from "../../../src/emulator/random.ts";

/** A process of the simulated world. One that is dead does nothing more: what it waits for never comes. */
export class Machine {
  readonly name: string;
  /** Whose request it works on; it may arrive when that one is dead. */
  readonly sender: Machine | undefined;
  alive = true;

  constructor(name: string, sender?: Machine) {
    this.name = name;
    this.sender = sender;
  }
}

/** What happens at its time, unless the machine that waits for it is dead by then. */
export interface Occurrence {
  readonly at: number;
  readonly order: number;
  readonly machine: Machine;
  /** What it is, for the history; nothing for what is of no interest there. */
  readonly what: string;
  readonly happen: () => void;
  readonly isBare: boolean;
  isOver: boolean;
}

/** How a piece of work ended; `dead` when its machine was. */
export type End<T> =
  | { readonly how: "done"; readonly value: T }
  | { readonly how: "failed"; readonly error: unknown }
  | { readonly how: "dead" }
  /** Nothing can ever happen again that it waits for. */
  | { readonly how: "hangs" };

/** The real one: everything that follows from a turn has been done when the next one comes. */
const immediately = setImmediate;

/**
 * Who is at work. One for all histories: the platform keeps each that ever was in every context that is made from then
 * on, and copies them all.
 */
const current = new AsyncLocalStorage<Machine>();

/** So many turns are asked for at once: between two of them the platform does all that is due, and nothing else. */
const batch = 64;

/** Calls a turn again and again until it has something to say. */
function turns<T>(turn: () => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let left = 0;
    const once = (): void => {
      left -= 1;
      if (isOver) return;
      try {
        const said = turn();
        if (said === undefined) {
          if (left === 0) more();
          return;
        }
        isOver = true;
        resolve(said);
      } catch (error) {
        isOver = true;
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const more = (): void => {
      left = batch;
      for (let count = 0; count < batch; count += 1) immediately(once);
    };
    more();
  });
}

/** A year of waiting for one command is a wait for ever. */
const longest = 365 * 24 * 3_600_000;

/**
 * Time, chance and order of one history. Nothing in it waits for the real world: what is to come stands in a queue, and
 * the next of it happens when all that followed from the one before has been done.
 */
export class Simulation {
  /** Milliseconds since the beginning, of a clock that nobody sets. */
  now = 0;
  /** What somebody set the clocks of our machines forward by, in milliseconds. */
  skew = 0;
  readonly random: Random;
  /** Occurrences that have come so far. */
  happened = 0;
  readonly #seed: number;
  readonly #queue = new Queue();
  /** To be that machine for a while: a context is dear to make, and cheap to enter. */
  readonly #ways = new WeakMap<Machine, ReturnType<typeof AsyncLocalStorage.snapshot>>();
  readonly #watchers = new Set<(occurrence: Occurrence) => void>();
  #order = 0;
  /** What happened, and before it when: put into words when somebody asks. */
  readonly #noted: (number | string)[] = [];

  constructor(seed: number) {
    this.#seed = seed;
    this.random = new Random(seed, "simulation");
  }

  /** All that has happened. */
  get lines(): readonly string[] {
    const lines: string[] = [];
    for (let at = 0; at < this.#noted.length; at += 2)
      lines.push(`${Number(this.#noted[at]).toFixed(3)} ${this.#noted[at + 1] ?? ""}`);
    return lines;
  }

  /** Chances of their own: what one part draws moves no other. */
  chances(stream: string): Random {
    return new Random(this.#seed, stream);
  }

  /** True time, in milliseconds since 1970. */
  get trueTime(): number {
    return Date.UTC(2026, 0, 5, 8) + this.now;
  }

  /** As the clock on the wall of our machines says it. */
  get wallTime(): number {
    return Math.floor(this.trueTime + this.skew);
  }

  get machine(): Machine {
    const machine = current.getStore();
    if (machine === undefined) throw new Error("nobody is at work: this is outside of the simulation");
    return machine;
  }

  /** Whose request is being worked on. */
  get sender(): Machine | undefined {
    return current.getStore()?.sender;
  }

  as<T>(machine: Machine, work: () => T): T {
    const known = this.#ways.get(machine);
    if (known !== undefined) return known(work);
    const way = current.run(machine, () => AsyncLocalStorage.snapshot());
    this.#ways.set(machine, way);
    return way(work);
  }

  /** Notes a line of the history. */
  note(line: string): void {
    this.#noted.push(this.now, line);
  }

  /** Of all that has happened, byte by byte. */
  digest(): string {
    return hash("sha256", this.lines.join("\n"));
  }

  /** `isBare`: whose work it is makes no difference to what happens, as where a promise is resolved. */
  schedule(
    after: number,
    what: string,
    happen: () => void,
    machine = this.machine,
    isBare = false,
  ): Occurrence {
    this.#order += 1;
    const at = this.now + Math.max(0, after);
    const occurrence = { at, order: this.#order, machine, what, happen, isBare, isOver: false };
    this.#queue.push(occurrence);
    return occurrence;
  }

  /** Resolves then; a wait that a dead machine is in never ends. */
  wait(after: number, what: string): Promise<void> {
    return new Promise((resolve) => this.schedule(after, what, resolve, this.machine, true));
  }

  /** Asked before each occurrence happens. */
  watch(watcher: (occurrence: Occurrence) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Lets time go on until the work is done. */
  async run<T>(machine: Machine, work: () => Promise<T>): Promise<End<T>> {
    let end: End<T> | undefined;
    void this.as(machine, () => ended(work)).then((how) => (end = how));
    const until = this.now + longest;
    return turns((): End<T> | undefined => {
      if (end !== undefined) return end;
      if (!machine.alive) return { how: "dead" };
      const hasGoneOn = this.#next();
      return machine.alive && (!hasGoneOn || this.now > until) ? { how: "hangs" } : undefined;
    });
  }

  /** For those who only look: time stands still. What they do must wait for nothing. */
  async observe<T>(machine: Machine, work: () => Promise<T>): Promise<T> {
    let end: End<T> | undefined;
    void this.as(machine, () => ended(work)).then((how) => (end = how));
    let count = 0;
    const seen = await turns((): End<T> | undefined => {
      count += 1;
      if (end === undefined && count > 1_000) throw new Error("whoever looks waits for something");
      return end;
    });
    if (seen.how === "done") return seen.value;
    throw seen.how === "failed" ? seen.error : new Error(`whoever looks is ${seen.how}`);
  }

  /** Lets everything happen that is still to come, late commits included. */
  async settle(): Promise<void> {
    await turns(() => (this.#next() ? undefined : true));
  }

  #next(): boolean {
    for (;;) {
      const occurrence = this.#queue.pop();
      if (occurrence === undefined) return false;
      if (occurrence.isOver || !occurrence.machine.alive) continue;
      this.now = Math.max(this.now, occurrence.at);
      for (const watcher of this.#watchers) watcher(occurrence);
      // A watcher may be what ended it.
      if (!occurrence.machine.alive) continue;
      occurrence.isOver = true;
      this.happened += 1;
      if (occurrence.what !== "") this.note(`${occurrence.machine.name}: ${occurrence.what}`);
      if (occurrence.isBare) occurrence.happen();
      else this.as(occurrence.machine, occurrence.happen);
      return true;
    }
  }
}

async function ended<T>(work: () => Promise<T>): Promise<End<T>> {
  try {
    return { how: "done", value: await work() };
  } catch (error) {
    return { how: "failed", error };
  }
}

/** By time, then in the order in which they were asked for. */
class Queue {
  readonly #heap: Occurrence[] = [];

  push(occurrence: Occurrence): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(occurrence);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(occurrence, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = occurrence;
  }

  pop(): Occurrence | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      if (left === undefined) break;
      const isLeft = right === undefined || isBefore(left, right);
      const child = isLeft ? left : right;
      if (!isBefore(child, last)) break;
      heap[at] = child;
      at = 2 * at + (isLeft ? 1 : 2);
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(left: Occurrence, right: Occurrence): boolean {
  return left.at < right.at || (left.at === right.at && left.order < right.order);
}
