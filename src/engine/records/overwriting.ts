import type { PlannedRow } from "./line.ts";

/**
 * What the target has is not what the last run left there, and what was sent takes its place, or takes something away from other rows:
 * the same as the comparison counts, of a row that was written.
 */
export function isOverwriting({ task, print, was, takes }: PlannedRow): boolean {
  const { action, address, values, before = {} } = task;
  if (takes === true) return true;
  const there = (name: string): boolean => before[name] !== undefined && before[name] !== null;
  if (action === "create" && address !== undefined && print !== undefined && was === undefined)
    return Object.entries(values).some(
      ([name, value]) => there(name) && JSON.stringify(before[name]) !== JSON.stringify(value),
    );
  const isOthers = print !== undefined && print[1] !== was?.[1];
  return action === "update" && isOthers && Object.keys(values).some(there);
}
