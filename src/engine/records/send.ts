import type { RowAnswer, RowTask, TableWriter } from "../../kinds/kind.ts";
import type { Trouble } from "../../kinds/trouble.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { PlannedRow } from "./line.ts";

export type Answered =
  | Exclude<RowAnswer, { readonly state: "failed" | "done" }>
  /** `trouble`: a part of it was refused, and nothing else would get through either. */
  | (Omit<Extract<RowAnswer, { readonly state: "done" }>, "error"> & { readonly trouble?: Trouble })
  /** It was not done, and nothing else would get through either. `begun`: a part of it was done before. */
  | { readonly state: "stopped"; readonly trouble: Trouble; readonly begun?: true };

/**
 * One answer a task. What is refused as a whole is sent again without the rows that the complaint points at, or by
 * halves: one row that is refused does not take the others along.
 */
export async function sendRows(
  writer: Pick<TableWriter, "send" | "blame">,
  tasks: readonly RowTask[],
): Promise<readonly Answered[]> {
  try {
    const answers = await writer.send(tasks);
    return answers.map((answer) => {
      if (answer.state === "failed") {
        const { error, begun } = answer;
        return { ...meant(troubleIn(error)), ...(begun === undefined ? {} : { begun }) };
      }
      if (answer.state !== "done" || answer.error === undefined) return answer;
      const { error, ...done } = answer;
      return { ...done, trouble: troubleIn(error) };
    });
  } catch (error) {
    const trouble = troubleIn(error);
    const answer = meant(trouble);
    if (answer.state !== "refused") return tasks.map(() => answer);
    return tasks.length === 1 ? [answer] : isolated(writer, tasks, trouble);
  }
}

/** What is refused of a row of which a part is there already leaves that part. */
export function answerOn({ partAt }: Pick<PlannedRow, "partAt">, answer: Answered | undefined): Answered {
  if (partAt !== undefined && answer?.state === "refused")
    return { state: "done", address: partAt, short: answer.reason };
  return answer ?? { state: "unknown", reason: "the answer does not have it" };
}

const removedByOthers =
  "somebody has removed it at the target since it was looked at: that is theirs, and a rollback leaves it";

const madeByOthers =
  "somebody has made it at the target since it was looked at, and this was written over it: the next run looks at it, and a rollback leaves it";

/** `isAgain`: an earlier request for it, or the run that is taken back, may have done what is there. */
export function tasksOf(batch: readonly PlannedRow[], isAgain: boolean): readonly RowTask[] {
  return batch.map(({ task, isBack, isNew, partAt }) => {
    const wasSent = isAgain || isBack === true || isNew === true || partAt !== undefined;
    return wasSent ? { ...task, wasSent } : task;
  });
}

/** What was to be removed was gone, or what was to be made was there, before the first request for that arrived. */
export function othersDid(
  { task, isBack }: PlannedRow,
  answer: Answered,
  isAgain: boolean,
): string | undefined {
  if (answer.state !== "done" || isAgain || isBack === true) return undefined;
  if (task.action === "create" && answer.met === true) return madeByOthers;
  return task.action === "delete" && answer.wasSo === true ? removedByOthers : undefined;
}

/** A change or deletion is looked at in its draft first, which may open one. */
export function opensDrafts({ action }: RowTask, { release }: TableWriter): boolean {
  return action !== "create" && release.fromDraft === true;
}

function troubleIn(error: unknown): Trouble {
  const trouble = troubleOf(error);
  if (trouble === undefined) throw error;
  return trouble;
}

function meant(trouble: Trouble): Answered {
  const { state, reason, fatal } = trouble;
  return fatal !== undefined && state === "refused" ? { state: "stopped", trouble } : { state, reason };
}

async function isolated(
  writer: Pick<TableWriter, "send" | "blame">,
  tasks: readonly RowTask[],
  { pointers, reason }: Trouble,
): Promise<readonly Answered[]> {
  const blamed = new Set(writer.blame(pointers, tasks));
  if (blamed.size > 0) {
    const rest = tasks.filter((task) => !blamed.has(task));
    const answers = rest.length === 0 ? [] : await sendRows(writer, rest);
    let at = 0;
    return tasks.map((task): Answered => {
      if (blamed.has(task)) return { state: "refused", reason };
      at += 1;
      return answers[at - 1] ?? { state: "unknown", reason };
    });
  }
  const middle = Math.ceil(tasks.length / 2);
  const first = await sendRows(writer, tasks.slice(0, middle));
  return [...first, ...(await sendRows(writer, tasks.slice(middle)))];
}
