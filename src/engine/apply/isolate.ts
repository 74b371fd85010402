import type { StepAnswer } from "../../kinds/kind.ts";
import type { Task } from "./task.ts";

interface Answered {
  readonly task: Task;
  readonly answer: StepAnswer;
}

/** Those that are to blame, and why; the others may be sent again, piece by piece. */
export interface Fallen {
  readonly guilty: readonly { readonly task: Task; readonly reason: string }[];
  readonly pieces: readonly Task[][];
}

/**
 * A request was refused as a whole, which of independent items no document excludes: the bad item is singled out, and the rest is sent
 * without it.
 */
export function isolate(tasks: readonly Task[], blamed: number | undefined, reason: string): Fallen {
  const task = tasks[blamed ?? -1];
  if (task === undefined) return { guilty: [], pieces: halves(tasks) };
  return { guilty: [{ task, reason }], pieces: [tasks.filter((other) => other !== task)] };
}

/** Which one is bad, the others will tell. */
function halves(tasks: readonly Task[]): readonly Task[][] {
  const half = Math.ceil(tasks.length / 2);
  return [tasks.slice(0, half), tasks.slice(half)];
}

/**
 * A request that takes all or nothing (document 1, "Generic metadata entities", rule 3) was answered item by item, and at
 * least one of them was surely not done: then none was, whatever word is used of those that it took with it. Undefined
 * where the answer says of one that it was done, or nothing: that is no answer to such a request.
 */
export function fellTogether(answered: readonly Answered[]): Fallen | undefined {
  const guilty = answered.flatMap(({ task, answer }) =>
    answer.state === "refused" ? [{ task, reason: answer.reason }] : [],
  );
  const taken = answered.flatMap(({ task, answer }) =>
    answer.state === "unknown" && answer.failed === true ? [task] : [],
  );
  if (answered.length < 2 || guilty.length === 0 || guilty.length + taken.length < answered.length)
    return undefined;
  if (taken.length > 0) return { guilty, pieces: [taken] };
  // All of them are refused where one of them is bad.
  return { guilty: [], pieces: halves(guilty.map(({ task }) => task)) };
}
