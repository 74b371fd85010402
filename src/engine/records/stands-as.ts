import type { OpenTable, Row } from "../../kinds/kind.ts";
import { asKept } from "../../model/value-form.ts";
import type { PlannedRow } from "./line.ts";
import { asItWas, isMadeAnew, isOfOurs, says } from "./look-up.ts";

/** Whose word is there: nobody's since, what was sent, a part of that, or somebody else's. */
export function standsAs(
  { task }: PlannedRow,
  row: Row | undefined,
  open: OpenTable,
): "untouched" | "ours" | "begun" | "others" {
  const { action, address, before = open.asMade ?? {} } = task;
  if (row === undefined) return action === "create" ? "untouched" : "others";
  const values = asKept(task, row.values, open);
  if (isMadeAnew(task, [row])) return "others";
  const isThere = row.isGone !== true || open.isActivityMoved === true || action !== "create";
  if (isThere && says(row.values, values, open)) return "ours";
  // By its address something is made again that was there and did not count.
  if (!isThere && address === undefined) return "others";
  if (!isOfOurs(row.values, values, before, open)) return "others";
  return (action === "create" && isThere) || !says(row.values, asItWas(values, before), open)
    ? "begun"
    : "untouched";
}
