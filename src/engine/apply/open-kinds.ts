import type { Task } from "./task.ts";

/** How many tasks of each kind have not ended, and how many objects are done with: one may take two tasks. */
export class OpenKinds {
  readonly #counts = new Map<string, number>();
  /** Objects whose second task, or whose first, has still to end. */
  readonly #inTwo = new Map<string, number>();
  /** Objects that were taken up, and are not done with. */
  readonly #begun = new Set<string>();
  #objects = 0;
  #done = 0;

  constructor(tasks: Iterable<Task>) {
    for (const { kind, pass, change } of tasks) {
      this.#counts.set(kind.name, (this.#counts.get(kind.name) ?? 0) + 1);
      if (pass === "main") this.#objects += 1;
      else this.#inTwo.set(change.id, 2);
    }
  }

  /** As the summary counts them: objects, however many requests each of them takes. */
  get objects(): { readonly done: number; readonly total: number; readonly inFlight: number } {
    return { done: this.#done, total: this.#objects, inFlight: this.#begun.size };
  }

  /** It is taken up: what is checked right before its request no longer stops for an interrupt. */
  begun({ change }: Task): void {
    this.#begun.add(change.id);
  }

  /** One has ended; true when it was the last of its kind. */
  ended({ kind, change }: Task): boolean {
    const parts = (this.#inTwo.get(change.id) ?? 1) - 1;
    if (parts === 0) {
      this.#done += 1;
      this.#begun.delete(change.id);
    } else this.#inTwo.set(change.id, parts);
    const left = (this.#counts.get(kind.name) ?? 0) - 1;
    this.#counts.set(kind.name, left);
    return left === 0;
  }
}
