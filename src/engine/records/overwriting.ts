import type { Json, JsonObject } from "../../model/json.ts";
import { own } from "../../model/json.ts";
import type { PlannedRow } from "./line.ts";

/**
 * What the target has is not what the last run left there, and what was sent takes its place, or takes something away from other rows:
 * the same as the comparison counts, of a row that was written.
 */
export function isOverwriting({ task, print, was, takes }: PlannedRow, asMade: JsonObject = {}): boolean {
  const { action, address, values, before = {} } = task;
  if (takes === true) return true;
  const there = (name: string): boolean => before[name] !== undefined && before[name] !== null;
  if (action === "create" && address !== undefined && print !== undefined && was === undefined)
    return Object.entries(values).some(
      ([name, value]) => there(name) && JSON.stringify(before[name]) !== JSON.stringify(value),
    );
  const isOthers = print !== undefined && print[1] !== was?.[1];
  if (action !== "update" || !isOthers) return false;
  return Object.entries(values).some(
    ([name, value]) => there(name) && !(was === undefined && isReviving(name, value, asMade)),
  );
}

/**
 * Whether a row that nobody has moved yet is made to count again by this value: people may have switched it off, or a rollback of its creation,
 * and nobody knows which. It is told as that, and nothing that somebody said is overwritten by it. `asMade`: what a row has when it is made.
 */
export function isReviving(name: string, value: Json | undefined, asMade: JsonObject): boolean {
  return value !== undefined && own(asMade, name) === value;
}
