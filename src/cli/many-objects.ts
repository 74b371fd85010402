import type { Progress } from "../engine/progress.ts";
import type { Registry } from "../kinds/registry.ts";

/** From so many on, both sides together, what a run holds of its objects is more than all else that it holds. */
const many = 40_000;

/**
 * Calls once when so many objects have been read that memory is dearer than time: of rows nothing is held. `times`: so often is each of
 * them held; a rollback reads one side, and knows the other one by its records.
 */
export function whenMany(registry: Registry, call: () => void, times = 1): (progress: Progress) => void {
  // Progress goes by lists, and some of them show several kinds; that of a snapshot goes by kinds.
  const kinds = new Set([
    ...registry.moved().flatMap(({ name, feed }) => [name, feed.name]),
    ...registry.given().map(({ name }) => name),
  ]);
  const counts = new Map<string, number>();
  let isCalled = false;
  return (progress) => {
    if (isCalled || progress.type !== "read" || !kinds.has(progress.kind)) return;
    counts.set(`${progress.side} ${progress.kind}`, progress.count);
    let all = 0;
    for (const count of counts.values()) all += count;
    if (all * times < many) return;
    isCalled = true;
    call();
  };
}
