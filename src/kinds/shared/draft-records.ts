import type { JsonObject } from "../../model/json.ts";
import { own, text } from "../../model/json.ts";
import { asKept } from "../../model/value-form.ts";
import type { RowAnswer, RowTask } from "../kind.ts";
import type { ReferenceTable } from "./reference-table.ts";
import { valuesOf } from "./row-values.ts";

/** Its values are those that are published: who has marked it as deleted shows in its state alone. */
export function isDeleted(record: JsonObject): boolean {
  return text(record, "state") === "DELETED";
}

export function isUnderReview(record: JsonObject): boolean {
  return text(record, "state") === "REVIEW";
}

/** Attributes of it as they are. */
export function unchanging(task: RowTask, names: readonly string[]): JsonObject {
  const { values } = whole(task);
  const same = names.map((name): JsonObject => ({ name, value: own(values, name) ?? null }));
  return { urn: task.address ?? "", values: same };
}

export const othersDeletion =
  "somebody has marked it as deleted in the draft at the target: that would be published with it, and nothing was";

/** What else the draft has is somebody else's: it would be published with ours. */
export function changed(task: RowTask, draft: JsonObject | undefined, table: ReferenceTable): RowAnswer {
  if (draft === undefined) return { state: "unknown", reason: "the answer does not have it" };
  // Whether a change undoes a deletion that stands in the draft is in no document: where it does not, that is published with it.
  if (task.action === "update" && isDeleted(draft)) return { state: "refused", reason: othersDeletion };
  const expected = { ...task.before, ...task.values };
  const values = valuesOf(draft);
  const names = new Set([...Object.keys(expected), ...Object.keys(values)]);
  const other = [...names].find((name) => {
    const [there, wanted] = [own(values, name) ?? null, own(expected, name) ?? null];
    return table.text(name, there) !== table.text(name, wanted);
  });
  if (other === undefined) return { state: "done", address: task.address ?? "" };
  const reason = `the draft of it at the target has another ${other} than what is published: somebody is changing it. Our values are in that draft now, and nothing of it was published`;
  return { state: "refused", reason };
}

/** A task with its values as the draft keeps them, where that may be what was sent in a form of the service's own. */
export function inItsForm(task: RowTask, draft: JsonObject, table: Pick<ReferenceTable, "text">): RowTask {
  return { ...task, values: asKept(task, valuesOf(draft), table) };
}

/** A task with its key among its values: an update has only what changes. */
export function whole({ values, before }: RowTask): { readonly values: JsonObject } {
  return { values: before === undefined ? values : { ...before, ...values } };
}

/** Whether nothing of a change stands in the draft: each of its values is as it was. What is under review may have it. */
export function isWithout(
  { values, before = {} }: RowTask,
  draft: JsonObject,
  table: Pick<ReferenceTable, "text">,
): boolean {
  const there = valuesOf(draft);
  const isAsItWas = (name: string): boolean =>
    table.text(name, own(there, name) ?? null) === table.text(name, own(before, name) ?? null);
  return !isUnderReview(draft) && Object.keys(values).every(isAsItWas);
}
