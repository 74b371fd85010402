import { withRoom } from "../../model/packed/room.ts";
import type { Task, Tasks } from "./task.ts";

/**
 * Which tasks wait for which while they are carried out, by number: there may be a million of them, and each is named by
 * a long id. A wait for something that has no task of its own (an adoption without a patch) is no wait.
 */
export class Waits {
  readonly #tasks: Tasks;
  /** By task: how many it still waits for. */
  readonly #open: Uint32Array;
  /** By task: where those that wait for it begin in `#users`; they end where those of the next one begin. */
  readonly #begin: Uint32Array;
  readonly #users: Uint32Array;
  /** Deletes for which something waits that is not a delete itself, by number. */
  readonly #awaited = new Set<number>();

  constructor(tasks: Tasks) {
    this.#tasks = tasks;
    this.#open = new Uint32Array(tasks.size);
    this.#begin = new Uint32Array(tasks.size + 1);
    /** Pairs: a task, and one that waits for it. */
    let pairs = new Uint32Array(16);
    let count = 0;
    for (const task of tasks.values()) {
      const user = task.number;
      for (const id of task.waits) {
        const one = tasks.get(id);
        if (one === undefined) continue;
        const first = one.number;
        if (isDelete(one) && !isDelete(task)) this.#awaited.add(first);
        pairs = withRoom(pairs, count + 1);
        pairs[count] = first;
        pairs[count + 1] = user;
        count += 2;
        this.#open[user] = (this.#open[user] ?? 0) + 1;
        this.#begin[first + 1] = (this.#begin[first + 1] ?? 0) + 1;
      }
    }
    // With what these wait for themselves.
    for (const number of this.#awaited)
      for (const id of tasks.at(number)?.waits ?? []) {
        const one = tasks.get(id);
        if (one !== undefined && isDelete(one)) this.#awaited.add(one.number);
      }
    for (let at = 1; at < this.#begin.length; at += 1)
      this.#begin[at] = (this.#begin[at] ?? 0) + (this.#begin[at - 1] ?? 0);
    this.#users = new Uint32Array(count / 2);
    const next = this.#begin.slice();
    for (let at = 0; at < count; at += 2) {
      const first = pairs[at] ?? 0;
      const place = next[first] ?? 0;
      this.#users[place] = pairs[at + 1] ?? 0;
      next[first] = place + 1;
    }
  }

  /**
   * Deletes come last: what still refers to an object lets go of it first. What has to make room for something new goes as soon
   * as it can, after what it waits for itself.
   */
  comesLast(task: Task): boolean {
    return isDelete(task) && !this.#awaited.has(task.number);
  }

  /** Nothing that it waits for is open. */
  isFree({ number }: Task): boolean {
    return this.#open[number] === 0;
  }

  /** One of those that it waits for is done. */
  oneDone({ number }: Task): void {
    this.#open[number] = (this.#open[number] ?? 0) - 1;
  }

  /** Those that wait for it, in the order of the tasks. */
  usersOf({ number }: Task): readonly Task[] {
    const users: Task[] = [];
    const end = this.#begin[number + 1] ?? 0;
    for (let place = this.#begin[number] ?? 0; place < end; place += 1) {
      const task = this.#tasks.at(this.#users[place] ?? 0);
      if (task !== undefined) users.push(task);
    }
    return users;
  }
}

function isDelete({ change }: Task): boolean {
  return change.action === "delete";
}
