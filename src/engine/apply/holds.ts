import { fingerprint } from "../../model/canonical.ts";
import { difference } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
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
 * put there. Other fields beyond ours may be filled by the service. `fresh` are keys that the patch was answered with.
 */
export function holdsMore(
  expected: JsonObject,
  body: JsonObject,
  shape: Shape,
  fresh: readonly string[],
): boolean {
  const actual = strip(body, shape);
  const keyed = withKeys(expected, pairKeys(expected, actual, shape));
  if (shape.known.some((field) => Object.hasOwn(actual, field) && !Object.hasOwn(keyed, field))) return true;
  const ours = subEntityKeys(keyed, new Set(fresh));
  return [...subEntityKeys(actual)].some((key) => !ours.has(key));
}

function setsSomething(patch: JsonObject): boolean {
  return Object.values(patch).some((value) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return false;
    return typeof value === "object" && !Array.isArray(value) ? setsSomething(value as JsonObject) : true;
  });
}
