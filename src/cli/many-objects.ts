import type { Progress } from "../engine/progress.ts";

/** From so many on, both sides together, what a run holds of its objects is more than all else that it holds. */
const many = 40_000;

/** Calls once when so many objects of these kinds have been read that memory is dearer than time: of rows nothing is held. */
export function whenMany(kinds: ReadonlySet<string>, call: () => void): (progress: Progress) => void {
  const counts = new Map<string, number>();
  let isCalled = false;
  return (progress) => {
    if (isCalled || progress.type !== "read" || !kinds.has(progress.kind)) return;
    counts.set(`${progress.side} ${progress.kind}`, progress.count);
    let all = 0;
    for (const count of counts.values()) all += count;
    if (all < many) return;
    isCalled = true;
    call();
  };
}
