import type { Json, JsonObject } from "../../model/json.ts";
import { isObject, own, pointerToken } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Policy } from "../../model/plan.ts";
import { isTemporaryKey, subEntityKeys } from "../../model/sub-entity.ts";
import type { Comparison } from "./compare.ts";

type Asked = Pick<Policy, "targetOnly">;

/**
 * Whether somebody has put a part into it at the target that the source never had. Such parts are left to the target, and once a
 * run has seen them they are in the print of what is as it should be: whoever takes the whole away takes them along. Where the service
 * knows no parts, in an open tree, it keeps the temporary key that it was sent.
 */
export function holdsTheirs(body: Json, { keys = {} }: Pick<MappingEntry, "keys">, policy: Asked): boolean {
  if (policy.targetOnly === "remove") return false;
  const ours = new Set(Object.values(keys));
  return [...subEntityKeys(body)].some((key) => !ours.has(key) && !isTemporaryKey(key));
}

/** Where a change takes away what holds such a part. By JSON pointer. */
export function takesTheirs(
  { row, keys, target, difference }: Pick<Comparison, "row" | "keys" | "target" | "difference">,
  policy: Asked,
): readonly string[] {
  const known = { keys: { ...row?.keys, ...keys } };
  return [...takenBy(difference.patch, target, (there) => holdsTheirs(there, known, policy), "")];
}

function* takenBy(
  patch: JsonObject,
  target: JsonObject,
  isTheirs: (there: JsonObject) => boolean,
  at: string,
): Generator<string> {
  for (const [name, value] of Object.entries(patch)) {
    const there = own(target, name);
    if (!isObject(there)) continue;
    const pointer = `${at}/${pointerToken(name)}`;
    if (isObject(value)) yield* takenBy(value, there, isTheirs, pointer);
    else if (isTheirs(there)) yield pointer;
  }
}
