import type { Step } from "../../kinds/kind.ts";
import type { Task, Tasks } from "./task.ts";
import { currentStep } from "./task.ts";

/**
 * Ready changes, a queue for each kind and step. A full batch goes at once; a partial one when nothing that is
 * still waiting could join it, or when nothing else is under way.
 */
export class ReadyQueues {
  readonly #tasks: Pick<Tasks, "at">;
  readonly #queues = new Map<string, Queue>();
  /** Batches that were cut in pieces to find a bad item; they are sent as they are. */
  readonly #pieces: Task[][] = [];
  /** Tasks that are not ready yet, by the queue that they will join. */
  readonly #waiting = new Map<string, number>();

  constructor(tasks: Pick<Tasks, "at">) {
    this.#tasks = tasks;
  }

  expect(task: Task): void {
    const key = keyOf(task);
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
  }

  unexpect(task: Task): void {
    const key = keyOf(task);
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) - 1);
  }

  add(task: Task): void {
    const key = keyOf(task);
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, new Queue(currentStep(task), task.number));
    else queue.add(task.number);
  }

  addPiece(tasks: Task[]): void {
    if (tasks.length > 0) this.#pieces.push(tasks);
  }

  isEmpty(): boolean {
    return this.#pieces.length === 0 && [...this.#queues.values()].every(({ length }) => length === 0);
  }

  /** The next batch, or undefined when it is better to wait for what is in flight. */
  next(idle: boolean): readonly Task[] | undefined {
    const piece = this.#pieces.shift();
    if (piece !== undefined) return piece;
    const queues = this.#draftsFirst();
    const full = queues.find(
      ([key, { step, length }]) =>
        length >= step.atMost || (length > 0 && (this.#waiting.get(key) ?? 0) <= 0),
    );
    if (full !== undefined) return this.#taken(full[1]);
    const any = idle ? queues.find(([, { length }]) => length > 0) : undefined;
    return any === undefined ? undefined : this.#taken(any[1]);
  }

  #taken(queue: Queue): readonly Task[] {
    return queue
      .take()
      .map((number) => this.#tasks.at(number))
      .filter((task) => task !== undefined);
  }

  /** A draft of ours is not left open, for somebody to add to, while others are begun. */
  #draftsFirst(): readonly (readonly [string, Queue])[] {
    const queues = [...this.#queues];
    const closes = ([, { step }]: (typeof queues)[number]): boolean => step.effect === "releases";
    return [...queues.filter(closes), ...queues.filter((queue) => !closes(queue))];
  }
}

/** Tasks for one step by their numbers, first come, first served. */
class Queue {
  readonly step: Step;
  #tasks: number[];
  /** So many of them are gone already: to take the first of a hundred thousand moves all others. */
  #taken = 0;

  constructor(step: Step, first: number) {
    this.step = step;
    this.#tasks = [first];
  }

  get length(): number {
    return this.#tasks.length - this.#taken;
  }

  add(task: number): void {
    this.#tasks.push(task);
  }

  /** A batch of it. */
  take(): readonly number[] {
    const batch = this.#tasks.slice(this.#taken, this.#taken + this.step.atMost);
    this.#taken += batch.length;
    if (2 * this.#taken > this.#tasks.length) {
      this.#tasks = this.#tasks.slice(this.#taken);
      this.#taken = 0;
    }
    return batch;
  }
}

function keyOf(task: Task): string {
  return `${task.kind.name}/${task.pass}/${currentStep(task).name}/${task.change.action === "delete" ? "delete" : ""}`;
}
