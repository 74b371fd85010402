import type { StepAnswer } from "../../kinds/kind.ts";
import { printOf } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { fromEntries, own } from "../../model/json.ts";
import type { OutcomeItem } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { strip } from "../../model/shape.ts";
import { withKept, withoutAt } from "../diff/first-contact.ts";
import type { Built } from "./built.ts";
import { fieldsOf, filledThere, formsThere } from "./filled.ts";
import { holds, holdsMore, isChanged } from "../settle/holds.ts";
import type { Patched, Task } from "./task.ts";
import { currentStep } from "./task.ts";

type Done = Extract<StepAnswer, { state: "done" }>;

/** For the journal: it is known that nothing of them happened. */
export function notDone(tasks: readonly Task[], reason: string): readonly OutcomeItem[] {
  return tasks.map(({ change }) => ({ source: change.source?.urn ?? "", result: "not-done", reason }));
}

/** It happened and is not what it should be: why, and what the mapping says of it all the same. */
export function turnedOut(
  task: Task,
  built: Built,
  answer: Done,
  before: MappingEntry | undefined,
  published: Published | undefined,
): { readonly reason: string; readonly entry: MappingEntry | undefined } | undefined {
  if (opensForeignDraft(task, built, answer)) {
    const reason =
      "the draft at the target holds changes of somebody else; ours were added to it, and it was not published. Review the draft in the web application, publish or discard it, and run again.";
    return { reason, entry: before };
  }
  if (!publishedOther(task, published)) return undefined;
  const reason =
    "what the service published is not what was sent: somebody discarded or changed the draft meanwhile. Run again to see where it stands.";
  return { reason, entry: task.patched?.entry };
}

/** A patch that opens a draft answers with the whole draft: what is in it beyond ours is somebody else's. */
function opensForeignDraft(task: Task, built: Built, answer: Done): boolean {
  const publishes = task.steps[task.at + 1]?.effect === "releases";
  if (
    currentStep(task).effect !== "changes" ||
    !publishes ||
    answer.body === undefined ||
    built.expected === undefined
  )
    return false;
  const { shape } = task.kind;
  const { at } = filledThere(built, answer.body, shape);
  const expected = withoutAt(built.expected, at);
  const draft = withoutAt(answer.body, at);
  return (
    task.kind.isChangeDraft?.(answer.body) === false ||
    !holds(expected, draft, shape) ||
    holdsMore(expected, draft, shape, answer.keys ?? {})
  );
}

/** What was changed, for the step that publishes it, and for its row after that. */
export function patchedBy(
  task: Task,
  built: Built,
  { body }: Done,
  entry: MappingEntry | undefined,
): Patched | undefined {
  const { expected } = built;
  if (currentStep(task).effect !== "changes" || expected === undefined) return undefined;
  const { shape } = task.kind;
  if (body === undefined) return { expected, patch: built.item.body, print: undefined, entry };
  const { at, unnamed, isForm } = filledThere(built, body, shape);
  const fields = new Set(fieldsOf(unnamed));
  const patch = fromEntries(Object.entries(built.item.body).filter(([field]) => !fields.has(field)));
  const patched = { expected, patch, print: printOf(body, shape), entry };
  return at.length === 0
    ? patched
    : { ...patched, filled: { at, body: withKept(expected, at, body), isForm } };
}

/**
 * Whether a publish was answered with something else than what was patched. Only the patched fields that the answer
 * shows count: what else the service answers a publish with is not documented for every kind.
 */
function publishedOther(task: Task, published: Published | undefined): boolean {
  if (published === undefined) return false;
  const { expected, actual, forms } = published;
  return !isChanged(withKept(expected, forms, actual), {}, actual, task.kind.shape);
}

/** What was patched and is now published, with the forms in which the service keeps it: a draft may still show it as it was sent. */
export function asPublished({ patched }: Task, published: Published | undefined): Patched | undefined {
  if (patched === undefined || published === undefined || published.forms.length === 0) return undefined;
  const { actual, forms } = published;
  const { at = [], body = patched.expected, isForm = true } = patched.filled ?? {};
  const filled = { at: [...new Set([...at, ...forms])], body: withKept(body, forms, actual), isForm };
  return { ...patched, filled };
}

/** Of what was patched, what the answer to its publish shows: as it was sent, as it is there, and where that is a form of it. */
export interface Published {
  readonly expected: JsonObject;
  readonly actual: JsonObject;
  /** JSON pointers. */
  readonly forms: readonly string[];
}

export function publishedIn(task: Task, { body }: Done): Published | undefined {
  const { patched } = task;
  if (currentStep(task).effect !== "releases" || patched === undefined || body === undefined)
    return undefined;
  const { shape } = task.kind;
  const fields = new Set(Object.keys(patched.patch).filter((field) => own(body, field) !== undefined));
  const only = (of: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(of).filter(([field]) => fields.has(field)));
  const [expected, actual] = [only(patched.expected), only(strip(body, shape))];
  return { expected, actual, forms: formsThere(patched.patch, expected, actual, shape) };
}
