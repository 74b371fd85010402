import type { OpenTable, Row } from "../../kinds/kind.ts";
import { display } from "../../model/display.ts";
import type { JsonObject } from "../../model/json.ts";
import { own } from "../../model/json.ts";
import type { PlannedRow } from "./line.ts";

/** So many are told by name. */
const mostNamed = 3;

/**
 * What a change has left out, and is empty since: document 3 does not say what a PUT does to a value that it does not name, and the row
 * was looked at right before. Undefined where there is nothing of that sort.
 */
export function emptied(
  { task: { action, values, before = {} }, aside = {} }: PlannedRow,
  there: Row | undefined,
  open: Pick<OpenTable, "isOurs">,
): string | undefined {
  if (action !== "update" || there === undefined) return undefined;
  const moved = Object.keys(before).filter((name) => !name.startsWith("(") && open.isOurs(name));
  // What is called otherwise than what is moved the server may compute, and empty itself.
  const begins = new Set(moved.map(beginOf));
  const others = there.unmoved?.();
  const besides = others === undefined ? [] : Object.keys(aside).filter((name) => begins.has(beginOf(name)));
  const names = [
    ...moved.filter((name) => !Object.hasOwn(values, name) && isLost(name, before, there.values)),
    ...besides.filter((name) => isLost(name, aside, others)),
  ].map(display);
  if (names.length === 0) return undefined;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return `it was changed, and what the change did not name is empty since: ${names.slice(0, mostNamed).join(", ")}${more}. Either the server takes what it is not told for empty, or somebody has emptied it in that moment`;
}

function isLost(name: string, before: JsonObject, now: JsonObject = {}): boolean {
  return (own(before, name) ?? null) !== null && (own(now, name) ?? null) === null;
}

/** `src_` of `src_name`. */
function beginOf(name: string): string {
  return name.slice(0, name.indexOf("_") + 1);
}
