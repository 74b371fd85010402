import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own, text } from "../model/json.ts";
import type { Cleaner } from "./cleaner.ts";
import type { Problem, ProblemEntry } from "./error.ts";

/** More entries than a person reads; a refusal of 100 items may carry one each. */
const mostEntries = 100;
const mostShown = 5;

/**
 * The problem in a body (document 1, Errors; `{ message, exception }` in document 3), or undefined when it holds none
 * of the fields.
 */
export function toProblem(body: JsonObject, cleaner: Cleaner): Problem | undefined {
  const field = (source: JsonObject, name: string): string | undefined => {
    const value = text(source, name);
    return value === undefined ? undefined : cleaner.clean(value);
  };
  // The class of the exception is all that tells sorts of refusals apart there.
  const isException = text(body, "message") !== undefined && text(body, "exception") !== undefined;
  const type = field(body, isException ? "exception" : "type");
  const title = field(body, "title");
  const detail = field(body, isException ? "message" : "detail");
  const list = own(body, "errors");
  const errors = isArray(list)
    ? list
        .slice(0, mostEntries)
        .filter((entry) => isObject(entry))
        .map((entry) => toEntry(field(entry, "detail"), field(entry, "pointer")))
    : undefined;
  if (type === undefined && title === undefined && detail === undefined) return undefined;
  return {
    ...(type === undefined ? {} : { type }),
    ...(title === undefined ? {} : { title }),
    ...(detail === undefined ? {} : { detail }),
    ...(errors === undefined ? {} : { errors }),
  };
}

function toEntry(detail: string | undefined, pointer: string | undefined): ProblemEntry {
  return {
    ...(detail === undefined ? {} : { detail }),
    ...(pointer === undefined ? {} : { pointer }),
  };
}

/** One line for people; the empty string when there is nothing to say. */
export function describeProblem(problem: Problem | undefined): string {
  if (problem === undefined) return "";
  const entries = (problem.errors ?? []).slice(0, mostShown).map((entry) => {
    const at = entry.pointer === undefined ? "" : ` (at ${entry.pointer})`;
    return `${entry.detail ?? "no detail"}${at}`;
  });
  const rest = (problem.errors?.length ?? 0) - entries.length;
  if (rest > 0) entries.push(`and ${rest} more`);
  const head = problem.detail ?? problem.title ?? problem.type ?? "";
  return [head, ...entries].filter((part) => part !== "").join("; ");
}
