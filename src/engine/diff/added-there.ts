import type { JsonObject } from "../../model/json.ts";
import { isObject, own, pointerToken } from "../../model/json.ts";
import type { Policy } from "../../model/plan.ts";
import type { Comparison } from "./compare.ts";

/**
 * Where a change would write over a part that somebody had added at the target, and that was left to it: the source has
 * one by now that is taken for its twin, and nobody has ever brought the two together. By JSON pointer.
 */
export function addedThere(
  now: Pick<Comparison, "row" | "added" | "target" | "difference">,
  { targetOnly }: Pick<Policy, "targetOnly">,
): readonly string[] {
  // Of what was never brought to the source, all is met for the first time.
  if (now.row?.sourceFingerprint === undefined || now.added.size === 0) return [];
  return [...writtenOver(now.difference.patch, now.target, now.added, targetOnly, false, "")];
}

function* writtenOver(
  patch: JsonObject,
  target: JsonObject,
  added: ReadonlySet<string>,
  targetOnly: Policy["targetOnly"],
  isWithin: boolean,
  at: string,
): Generator<string> {
  for (const [name, value] of Object.entries(patch)) {
    const there = own(target, name);
    const within = isWithin || added.has(name);
    const pointer = `${at}/${pointerToken(name)}`;
    if (isObject(value) && isObject(there))
      yield* writtenOver(value, there, added, targetOnly, within, pointer);
    else if (within && there !== undefined && !(value === null && targetOnly === "remove")) yield pointer;
  }
}
