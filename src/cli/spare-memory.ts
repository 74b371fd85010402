import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** In bytes; what the system counts for this process, and what of it V8 and Node say that they hold. */
export type Footprint = Readonly<Pick<NodeJS.MemoryUsage, "rss" | "heapTotal" | "external">>;

/** So much is let be. */
const leastBytes = 16 * 1024 * 1024;
/** And so much of the heap: what is given back is fetched again where the heap grows. */
const part = 1 / 4;
const everyMs = 1_000;

/**
 * From now on memory is dearer than time: the heap grows by a quarter before it is tidied, and pages that it needed once
 * are given back to the system while the process goes on.
 */
export function spareMemory(measure: () => Footprint): void {
  setFlagsFromString("--heap-growing-percent=25");
  const look = whenIdle(measure, collector());
  setInterval(look, everyMs).unref();
}

/** Tidies the heap, and gives back what is left over. */
export function collector(): () => void {
  // Flags hold for contexts that are made after them, and there is no other way to the collector.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as NodeJS.GCFunction;
  return () => {
    // Only the last resort lets go of what is kept for a heap that may grow again.
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
  };
}

/**
 * Looks whether the process has more than it had at its best, beyond what it says that it holds: V8 keeps pages that became
 * free for itself, and does not count them. That is as much as the stage before has needed at its height. What cannot be
 * given back is not asked for again.
 */
export function whenIdle(measure: () => Footprint, giveBack: () => void): () => void {
  let least = idle(measure());
  return () => {
    const now = measure();
    least = Math.min(least, idle(now));
    if (idle(now) - least < Math.max(leastBytes, now.heapTotal * part)) return;
    giveBack();
    least = idle(measure());
  };
}

function idle({ rss, heapTotal, external }: Footprint): number {
  return rss - heapTotal - external;
}
