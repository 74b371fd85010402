import { fingerprint } from "./canonical.ts";
import type { JsonObject } from "./json.ts";
import type { Shape } from "./shape.ts";
import { subEntityKeys } from "./sub-entity.ts";
import { walk } from "./walk.ts";

/**
 * Print of a stripped body as its own side says it, references and all. Whether the source has changed must not hang on
 * what the target has for what it refers to: a twin that is gone, forgotten or made anew changes the body in the target's
 * words, and nobody has touched the source. Undefined where it refers to nothing: there both are one, unless parts of it may
 * be left out (`mayLackPlaces`), since the target's model has no place for them today.
 */
export function ownPrint(stripped: JsonObject, shape: Shape, mayLackPlaces: boolean): string | undefined {
  return mayLackPlaces || refersToOthers(stripped) ? fingerprint(stripped, shape) : undefined;
}

function refersToOthers(stripped: JsonObject): boolean {
  let found = false;
  const bare: string[] = [];
  walk(stripped, (form, value) => {
    if (form === "uuid") bare.push(value);
    else if (form !== "key") found = true;
    return value;
  });
  if (found || bare.length === 0) return found;
  const own = subEntityKeys(stripped);
  return bare.some((uuid) => !own.has(uuid));
}
