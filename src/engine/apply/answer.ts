import type { StepAnswer } from "../../kinds/kind.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { fromEntries, isObject, own } from "../../model/json.ts";
import type { OutcomeItem } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Shape } from "../../model/shape.ts";
import { strip } from "../../model/shape.ts";
import type { Built } from "./built.ts";
import { holds, holdsMore, isChanged } from "../settle/holds.ts";
import type { Task } from "./task.ts";
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
): { readonly reason: string; readonly entry: MappingEntry | undefined } | undefined {
  if (opensForeignDraft(task, built, answer)) {
    const reason =
      "the draft at the target holds changes of somebody else; ours were added to it, and it was not published. Review the draft in the web application, publish or discard it, and run again.";
    return { reason, entry: before };
  }
  if (!publishedOther(task, answer)) return undefined;
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
  const filled = filledThere(built, answer.body, shape);
  const expected = lessFilled(built.expected, filled);
  const draft = lessFilled(answer.body, filled);
  return (
    task.kind.isChangeDraft?.(answer.body) === false ||
    !holds(expected, draft, shape) ||
    holdsMore(expected, draft, shape, answer.keys ?? {})
  );
}

/** What of a patch the service has taken as it was sent: by the rest nobody can tell what is published. */
export function takenOf({ kind }: Task, built: Built, { body }: Done): JsonObject {
  const patch = built.item.body;
  return body === undefined ? patch : lessFilled(patch, filledThere(built, body, kind.shape));
}

/**
 * Fields of a patch that no document names, and that its answer shows otherwise than they were set in that very request: the
 * service fills them itself. No colleague has, since a patch takes the place of what anybody had there; into a map it
 * only adds, so that a map is not passed over. What is there then is told as drift, with the way out
 * (`policy.ignoreFields`), as where a creation does not take such a field.
 */
function filledThere(
  { item, expected = {} }: Built,
  answered: JsonObject,
  shape: Shape,
): ReadonlySet<string> {
  const print = (body: JsonObject, field: string): string => {
    const value = own(body, field);
    return fingerprint(value === undefined ? {} : { [field]: value }, shape);
  };
  return new Set(
    Object.keys(item.body).filter(
      (field) =>
        !shape.known.includes(field) &&
        !isObject(own(item.body, field)) &&
        print(expected, field) !== print(answered, field),
    ),
  );
}

function lessFilled(body: JsonObject, fields: ReadonlySet<string>): JsonObject {
  return fromEntries(Object.entries(body).filter(([field]) => !fields.has(field)));
}

/**
 * Whether a publish was answered with something else than what was patched. Only the patched fields that the answer
 * shows count: what else the service answers a publish with is not documented for every kind.
 */
function publishedOther(task: Task, answer: Done): boolean {
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
