import { fingerprint } from "../../model/canonical.ts";
import { difference } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject, own } from "../../model/json.ts";
import { pairKeys, withKeys } from "../../model/pair-keys.ts";
import type { Shape } from "../../model/shape.ts";
import { strip } from "../../model/shape.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";

/** Whether a body of the service is what was expected; fields that only the service fills do not count against it. */
export function holds(expected: JsonObject, body: JsonObject, shape: Shape): boolean {
  const actual = strip(body, shape);
  if (fingerprint(expected, shape) === fingerprint(actual, shape)) return true;
  const keyed = withKeys(expected, pairKeys(expected, actual, shape));
  const { patch } = difference(keyed, actual, { shape, targetOnly: "keep", keys: {} });
  return !setsSomething(patch);
}

/**
 * Whether a draft holds more than was expected: a field that the documents name, or a sub-entity, that nobody of ours
 * put there. Other fields beyond ours may be filled by the service. `fresh` are the keys that the patch was answered
 * with, by the source's: a second copy of what was added under another key is somebody else's.
 */
export function holdsMore(
  expected: JsonObject,
  body: JsonObject,
  shape: Shape,
  fresh: Readonly<Record<string, string>>,
): boolean {
  const actual = strip(body, shape);
  const known = withKeys(expected, fresh);
  const keyed = withKeys(known, pairKeys(known, actual, shape));
  if (shape.known.some((field) => Object.hasOwn(actual, field) && !Object.hasOwn(keyed, field))) return true;
  const ours = subEntityKeys(keyed);
  return [...subEntityKeys(actual)].some((key) => !ours.has(key));
}

/**
 * Whether a body is what a change of `before` should have made of it, when nobody can say that the change was made:
 * nothing of ours is lacking, nothing is there beyond it, and nothing that was to go is still there.
 */
export function isChanged(expected: JsonObject, before: JsonObject, body: JsonObject, shape: Shape): boolean {
  if (!holds(expected, body, shape) || holdsMore(expected, body, shape, {})) return false;
  const actual = strip(body, shape);
  const keyed = withKeys(expected, pairKeys(expected, actual, shape));
  const { patch } = difference(keyed, actual, { shape, targetOnly: "remove", keys: {} });
  return !takesFrom(patch, before);
}

/** Whether a merge patch clears something that is in `body`. */
function takesFrom(patch: JsonObject, body: JsonObject): boolean {
  return Object.entries(patch).some(([field, value]) => {
    const there = own(body, field);
    if (there === undefined) return false;
    if (value === null || (Array.isArray(value) && value.length === 0)) return true;
    return isObject(value) && isObject(there) && takesFrom(value, there);
  });
}

function setsSomething(patch: JsonObject): boolean {
  return Object.values(patch).some((value) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return false;
    return isObject(value) ? setsSomething(value) : true;
  });
}
