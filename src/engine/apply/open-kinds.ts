import type { Task } from "./task.ts";

/** How many tasks of each kind have not ended. */
export class OpenKinds {
  readonly #counts = new Map<string, number>();

  constructor(tasks: Iterable<Task>) {
    for (const { kind } of tasks) this.#counts.set(kind.name, (this.#counts.get(kind.name) ?? 0) + 1);
  }

  /** One has ended; true when it was the last of its kind. */
  ended({ kind }: Task): boolean {
    const left = (this.#counts.get(kind.name) ?? 0) - 1;
    this.#counts.set(kind.name, left);
    return left === 0;
  }
}
