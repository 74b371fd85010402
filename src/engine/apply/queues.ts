import type { Step } from "../../kinds/kind.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";

/**
 * Ready changes, a queue for each kind and step. A full batch goes at once; a partial one when nothing that is
 * still waiting could join it, or when nothing else is under way (DESIGN, section 6, "Dataflow, not barriers").
 */
export class ReadyQueues {
  readonly #queues = new Map<string, { readonly step: Step; readonly tasks: Task[] }>();
  /** Batches that were cut in pieces to find a bad item; they are sent as they are. */
  readonly #pieces: Task[][] = [];
  /** Tasks that are not ready yet, by the queue that they will join. */
  readonly #waiting = new Map<string, number>();

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
    if (queue === undefined) this.#queues.set(key, { step: currentStep(task), tasks: [task] });
    else queue.tasks.push(task);
  }

  addPiece(tasks: Task[]): void {
    if (tasks.length > 0) this.#pieces.push(tasks);
  }

  isEmpty(): boolean {
    return this.#pieces.length === 0 && [...this.#queues.values()].every((queue) => queue.tasks.length === 0);
  }

  /** The next batch, or undefined when it is better to wait for what is in flight. */
  next(idle: boolean): readonly Task[] | undefined {
    const piece = this.#pieces.shift();
    if (piece !== undefined) return piece;
    for (const [key, { step, tasks }] of this.#draftsFirst()) {
      if (tasks.length >= step.atMost || (tasks.length > 0 && (this.#waiting.get(key) ?? 0) <= 0)) {
        return tasks.splice(0, step.atMost);
      }
    }
    if (!idle) return undefined;
    for (const [, { step, tasks }] of this.#draftsFirst()) {
      if (tasks.length > 0) return tasks.splice(0, step.atMost);
    }
    return undefined;
  }

  /** A draft of ours is not left open, for somebody to add to, while others are begun. */
  #draftsFirst(): readonly (readonly [string, { readonly step: Step; readonly tasks: Task[] }])[] {
    const queues = [...this.#queues];
    const closes = ([, { step }]: (typeof queues)[number]): boolean => step.effect === "releases";
    return [...queues.filter(closes), ...queues.filter((queue) => !closes(queue))];
  }
}

function keyOf(task: Task): string {
  return `${task.kind.name}/${task.pass}/${currentStep(task).name}/${task.change.action === "delete" ? "delete" : ""}`;
}
