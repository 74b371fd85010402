import type { OpenTable, Row, RowTask } from "../../kinds/kind.ts";
import { display } from "../../model/display.ts";
import { own } from "../../model/json.ts";

/** So many are told by name. */
const mostNamed = 3;

/**
 * What a change has left out, and is empty since: document 3 does not say what a PUT does to a value that it does not name, and the row
 * was looked at right before. Undefined where there is nothing of that sort.
 */
export function emptied(
  { action, values, before = {} }: RowTask,
  shown: Row["values"],
  open: OpenTable,
): string | undefined {
  if (action !== "update") return undefined;
  const names = Object.entries(before)
    .filter(([name, was]) => {
      const isMoved = !name.startsWith("(") && open.isOurs(name);
      return isMoved && was !== null && !Object.hasOwn(values, name) && (own(shown, name) ?? null) === null;
    })
    .map(([name]) => display(name));
  if (names.length === 0) return undefined;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return `it was changed, and what the change did not name is empty since: ${names.slice(0, mostNamed).join(", ")}${more}. Either the server takes what it is not told for empty, or somebody has emptied it in that moment`;
}
