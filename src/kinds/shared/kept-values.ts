import { display } from "../../model/display.ts";
import type { JsonObject } from "../../model/json.ts";
import { fromEntries, own } from "../../model/json.ts";
import { isFormOf } from "../../model/value-form.ts";
import type { RowAnswer, RowTask } from "../kind.ts";
import { changed } from "./draft-records.ts";
import type { ReferenceTable } from "./reference-table.ts";
import { valuesOf } from "./row-values.ts";

/**
 * The answer to a change: a value that was sent may come back in the service's own form, and one that it leaves as it was did not
 * take what was sent; neither is anybody else's word. Any other value may be.
 */
export function keptBy(task: RowTask, draft: JsonObject | undefined, table: ReferenceTable): RowAnswer {
  if (draft === undefined) return changed(task, draft, table);
  const { values, before = {} } = task;
  const there = valuesOf(draft);
  const names = Object.keys(values);
  const isLeft = (name: string): boolean =>
    table.text(name, own(there, name) ?? null) === table.text(name, own(before, name) ?? null);
  const isForm = (name: string): boolean => isFormOf(own(there, name), own(values, name));
  const kept = fromEntries(
    names.map((name) => [name, own(isLeft(name) || isForm(name) ? there : values, name) ?? null]),
  );
  const answer = changed({ ...task, values: kept }, draft, table);
  if (answer.state !== "done") return answer;
  const ignored = names.find((name) => isLeft(name) && !isForm(name));
  if (ignored !== undefined)
    return {
      state: "refused",
      reason: `the target keeps its ${display(ignored)} as it was, whatever is sent; nothing of it was published`,
    };
  return names.every(isLeft) ? { ...answer, asBefore: true } : answer;
}
