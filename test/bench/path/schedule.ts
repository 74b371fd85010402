/** Something that takes one round. */
export interface Task {
  /** Where it is done; each place does so many at once. */
  readonly place: string;
  /** What has to be done before, by index. */
  readonly after: readonly number[];
}

/**
 * In how many rounds all tasks are done when each place does at most `concurrency` at once: of those that are ready, the
 * ones that the longest chain hangs on go first. Never fewer than the longest chain, nor than the tasks of a place divided
 * by its concurrency, and what it gives can be done: it is a schedule.
 */
export function schedule(tasks: readonly Task[], concurrency: number): number {
  const behind = behindEach(tasks);
  const height = heights(tasks, behind);
  const open = tasks.map(({ after }) => after.length);
  let ready = tasks.flatMap(({ after }, index) => (after.length === 0 ? [index] : []));
  let rounds = 0;
  while (ready.length > 0) {
    const taken = new Map<string, number>();
    const left: number[] = [];
    const now: number[] = [];
    for (const index of ready.sort((one, other) => (height[other] ?? 0) - (height[one] ?? 0))) {
      const place = tasks[index]?.place ?? "";
      const busy = taken.get(place) ?? 0;
      taken.set(place, busy + 1);
      (busy < concurrency ? now : left).push(index);
    }
    rounds += 1;
    ready = [...left, ...now.flatMap((index) => freed(behind[index] ?? [], open))];
  }
  return rounds;
}

type Behind = readonly (readonly number[])[];

/** By index, what waits for it. */
function behindEach(tasks: readonly Task[]): Behind {
  const behind: number[][] = tasks.map(() => []);
  for (const [index, { after }] of tasks.entries()) for (const before of after) behind[before]?.push(index);
  return behind;
}

/** One less to wait for; those that wait for nothing any more. */
function freed(waiting: readonly number[], open: number[]): readonly number[] {
  return waiting.filter((index) => {
    const still = (open[index] ?? 0) - 1;
    open[index] = still;
    return still === 0;
  });
}

/** The longest chain that begins with each task. */
function heights(tasks: readonly Task[], behind: Behind): readonly number[] {
  const open = tasks.map(({ after }) => after.length);
  const order = tasks.flatMap(({ after }, index) => (after.length === 0 ? [index] : []));
  for (const index of order) order.push(...freed(behind[index] ?? [], open));
  if (order.length < tasks.length) throw new Error("tasks wait for each other in a circle");
  const height = tasks.map(() => 1);
  for (const index of order.reverse())
    height[index] = 1 + Math.max(0, ...(behind[index] ?? []).map((next) => height[next] ?? 0));
  return height;
}
