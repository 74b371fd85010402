import { display } from "../../model/display.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, own } from "../../model/json.ts";
import type { RowAnswer, RowTask } from "../kind.ts";
import { changed } from "./reference-drafts.ts";
import type { ReferenceTable } from "./reference-table.ts";
import { valuesOf } from "./row-values.ts";

/**
 * The answer to a change: what it says of the attributes that were sent is how the service keeps them (shortened, trimmed, an empty text
 * as none), and nobody else's word, for only these were updated. One that it has left as it was did not take what was sent.
 */
export function keptBy(task: RowTask, draft: JsonObject | undefined, table: ReferenceTable): RowAnswer {
  if (draft === undefined) return changed(task, draft, table);
  const { values, before = {} } = task;
  const there = valuesOf(draft);
  const names = Object.keys(values);
  const isLeft = (name: string): boolean =>
    table.text(name, own(there, name) ?? null) === table.text(name, own(before, name) ?? null);
  const kept = fromEntries(names.map((name) => [name, own(there, name) ?? null]));
  const answer = changed({ ...task, values: kept }, draft, table);
  if (answer.state !== "done") return answer;
  const ignored = names.find((name) => isLeft(name) && !areAlike(own(kept, name), own(values, name)));
  if (ignored !== undefined)
    return {
      state: "refused",
      reason: `the target keeps its ${display(ignored)} as it was, whatever is sent; nothing of it was published`,
    };
  return names.every(isLeft) ? { ...answer, asBefore: true } : answer;
}

/** But for what stands around a text, and whether none or an empty one is said. */
function areAlike(one: Json | undefined, other: Json | undefined): boolean {
  return bare(one) !== undefined && bare(one) === bare(other);
}

function bare(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value.trim() : undefined;
}
