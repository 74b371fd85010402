import type { Task } from "./task.ts";

/** A request that takes all or nothing was refused: the bad item is singled out, and the rest is sent without it. */
export function isolate(
  tasks: readonly Task[],
  blamed: number | undefined,
): { readonly guilty: Task | undefined; readonly pieces: readonly Task[][] } {
  const guilty = tasks[blamed ?? -1];
  if (guilty !== undefined) return { guilty, pieces: [tasks.filter((task) => task !== guilty)] };
  const half = Math.ceil(tasks.length / 2);
  return { guilty: undefined, pieces: [tasks.slice(0, half), tasks.slice(half)] };
}
