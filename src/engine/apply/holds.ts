import { fingerprint } from "../../model/canonical.ts";
import { difference } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
import { pairKeys, withKeys } from "../../model/pair-keys.ts";
import type { Shape } from "../../model/shape.ts";
import { strip } from "../../model/shape.ts";

/** Whether a body of the service is what was expected; fields that only the service fills do not count against it. */
export function holds(expected: JsonObject, body: JsonObject, shape: Shape): boolean {
  const actual = strip(body, shape);
  if (fingerprint(expected, shape) === fingerprint(actual, shape)) return true;
  const keyed = withKeys(expected, pairKeys(expected, actual, shape));
  const { patch } = difference(keyed, actual, { shape, targetOnly: "keep", keys: {} });
  return !setsSomething(patch);
}

function setsSomething(patch: JsonObject): boolean {
  return Object.values(patch).some((value) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return false;
    return typeof value === "object" && !Array.isArray(value) ? setsSomething(value as JsonObject) : true;
  });
}
