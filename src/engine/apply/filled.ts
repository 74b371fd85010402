import { fingerprint } from "../../model/canonical.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { display } from "../../model/display.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, pointerToken, tokensOf } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Policy } from "../../model/plan.ts";
import type { Shape } from "../../model/shape.ts";
import { isAssignedKey, isTemporaryKey } from "../../model/sub-entity.ts";
import { isFormOf } from "../../model/value-form.ts";
import { valueAt, withKept } from "../diff/first-contact.ts";
import { pointersOf } from "../diff/kept.ts";
import { keptOtherwiseNote } from "../prove/kept-otherwise.ts";
import type { Built } from "./built.ts";
import type { Filled, Task } from "./task.ts";

/**
 * Where in a patch fields that no document names are shown otherwise than they were set in that very request: the service fills
 * them itself. No colleague has, since a patch takes the place of what anybody had there; of parts, which get keys of their own,
 * nobody can tell. What is there then is told as drift, with the way out (`policy.ignoreFields`), as where a creation does not
 * take such a field.
 */
function unnamedThere(
  { item, expected = {} }: Pick<Built, "item" | "expected">,
  answered: JsonObject,
  shape: Shape,
): readonly string[] {
  const unnamed = Object.entries(item.body).filter(([field]) => !shape.known.includes(field));
  return shownOtherwise(fromEntries(unnamed), expected, answered, shape);
}

/** What the answer to a patch shows otherwise than it was set, and is nobody else's word. */
export function filledThere(
  built: Pick<Built, "item" | "expected">,
  answered: JsonObject,
  shape: Shape,
): {
  /** All of it, by JSON pointer, each once. */
  readonly at: readonly string[];
  /** Of these, what no document names. */
  readonly unnamed: readonly string[];
  /** All of it is a form of what was sent. */
  readonly isForm: boolean;
} {
  const unnamed = unnamedThere(built, answered, shape);
  const forms = formsThere(built.item.body, built.expected ?? {}, answered, shape);
  const at = [...new Set([...unnamed, ...forms])];
  return { at, unnamed, isForm: at.length === forms.length };
}

/**
 * Where in a patch fields are shown in a form of what they were set to: that is how the service keeps it. A patch takes the place of what
 * anybody had there, so that its answer shows nobody else's word.
 */
export function formsThere(
  patch: JsonObject,
  expected: JsonObject,
  answered: JsonObject,
  shape: Shape,
): readonly string[] {
  return shownOtherwise(patch, expected, answered, shape).filter((pointer) => {
    const tokens = tokensOf(pointer);
    return isFormOf(valueAt(answered, tokens), valueAt(expected, tokens));
  });
}

/** Pointers of what is set by a patch and shown otherwise; of parts, which get keys of their own, nobody can tell. */
function shownOtherwise(
  patch: JsonObject,
  expected: JsonObject,
  answered: JsonObject,
  shape: Shape,
): readonly string[] {
  const print = (body: JsonObject, pointer: string): string =>
    fingerprint(withKept({}, [pointer], body), shape);
  const isOfPart = (pointer: string): boolean =>
    tokensOf(pointer).some((token) => isTemporaryKey(token) || isAssignedKey(token));
  return pointersOf(patch).filter(
    (pointer) => !isOfPart(pointer) && print(expected, pointer) !== print(answered, pointer),
  );
}

export function fieldsOf(pointers: readonly string[]): readonly string[] {
  return [...new Set(pointers.map((pointer) => tokensOf(pointer)[0] ?? ""))];
}

/**
 * What the service fills where drift is overwritten, or this is: nobody has changed that there, and each further run would bring it
 * back once more. Undefined where it is left to people as drift.
 */
export function filledFor(
  { patched, change }: Pick<Task, "patched" | "change">,
  { drift }: Pick<Policy, "drift">,
): Filled | undefined {
  const filled = patched?.filled;
  if (filled === undefined || filled.isForm || drift === "overwrite") return filled;
  return change.diagnostics.some(({ code }) => code === "overwrites") ? filled : undefined;
}

/** The row of a task that has no step left: what the service fills stands as it is there. */
export function asFilled(
  task: Task,
  entry: MappingEntry | null,
  filled: Filled | undefined,
): MappingEntry | null {
  return entry === null || filled === undefined || task.at < task.steps.length - 1
    ? entry
    : { ...entry, targetFingerprint: fingerprint(filled.body, task.kind.shape) };
}

export function filledNote(
  { kind, patched }: Pick<Task, "kind" | "patched">,
  { at, body, isForm }: Filled,
  target: string,
): Omit<Diagnostic, "coordinate"> {
  if (isForm) {
    const valueIn = (of: JsonObject, path: string): Json => valueAt(of, tokensOf(path)) ?? null;
    const expected = patched?.expected ?? {};
    return keptOtherwiseNote(
      at.map((path) => ({ path, from: valueIn(body, path), to: valueIn(expected, path) })),
    );
  }
  const all = fieldsOf(at);
  const fields = all.map((field) => display(field)).join(", ");
  // A plan names what has a slash by its pointer.
  const named = all
    .map((field) => display(field.includes("/") ? `/${pointerToken(field)}` : field))
    .join(", ");
  return {
    severity: "warning",
    code: "unrecognised-field",
    summary: `${target} fills ${fields} itself: it shows something else than it was just sent`,
    detail: "It stays as it is there until it changes at either side.",
    suggestion: `Say in the plan that it is neither compared nor sent: policy.ignoreFields: { ${kind.selectedAs}: [${named}] }.`,
  };
}
