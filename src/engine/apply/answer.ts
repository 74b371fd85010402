import type { StepAnswer } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { own } from "../../model/json.ts";
import { strip } from "../../model/shape.ts";
import type { Built } from "./built.ts";
import { holds, holdsMore, isChanged } from "../settle/holds.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";

type Done = Extract<StepAnswer, { state: "done" }>;

/** A patch that opens a draft answers with the whole draft: what is in it beyond ours is somebody else's. */
export function opensForeignDraft(task: Task, built: Built, answer: Done): boolean {
  const publishes = task.steps[task.at + 1]?.effect === "releases";
  if (
    currentStep(task).effect !== "changes" ||
    !publishes ||
    answer.body === undefined ||
    built.expected === undefined
  )
    return false;
  const { shape } = task.kind;
  return (
    task.kind.isChangeDraft?.(answer.body) === false ||
    !holds(built.expected, answer.body, shape) ||
    holdsMore(built.expected, answer.body, shape, answer.keys ?? {})
  );
}

/**
 * Whether a publish was answered with something else than what was patched. Only the patched fields that the answer
 * shows count: what else the service answers a publish with is not documented for every kind.
 */
export function publishedOther(task: Task, answer: Done): boolean {
  const { patched } = task;
  if (currentStep(task).effect !== "releases" || patched === undefined || answer.body === undefined)
    return false;
  const { shape } = task.kind;
  const shown = answer.body;
  const fields = new Set(Object.keys(patched.patch).filter((field) => own(shown, field) !== undefined));
  const only = (body: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(body).filter(([field]) => fields.has(field)));
  return !isChanged(only(patched.expected), {}, only(strip(shown, shape)), shape);
}
