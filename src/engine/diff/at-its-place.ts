import type { Json, JsonObject, MutableJson } from "../../model/json.ts";
import { isArray, isObject, own, setOwn } from "../../model/json.ts";
import { markedUrn } from "../../model/translate.ts";
import { urnType } from "../../model/urn.ts";

interface Known {
  mayBeAnew(target: string): boolean;
  isTaken(target: string): boolean;
}

/**
 * Where the row of an object is gone (a person took its pair away, and it was created again) nothing tells where it
 * stood before. What the target has at the same place, of the same type and the twin of nothing else, may be that: the
 * tree comes back with it. Whether it was, the fingerprint that is remembered tells. Undefined where there is none.
 */
export function withThose(tree: JsonObject, target: JsonObject, known: Known): JsonObject | undefined {
  const result = object(tree, target, known);
  return result === tree ? undefined : result;
}

/** What is not changed is not copied. */
function object(tree: JsonObject, target: JsonObject, known: Known): JsonObject {
  let copy: MutableJson | undefined;
  for (const [name, field] of Object.entries(tree)) {
    const other = value(field, own(target, name), known);
    if (other === field) continue;
    copy ??= { ...tree };
    setOwn(copy, name, other);
  }
  return copy ?? tree;
}

function value(said: Json, there: Json | undefined, known: Known): Json {
  if (isObject(said) && isObject(there)) return object(said, there, known);
  if (isArray(said) && isArray(there)) {
    const items = said.map((item, index) => value(item, there[index], known));
    return items.some((item, index) => item !== said[index]) ? items : said;
  }
  if (typeof said !== "string" || typeof there !== "string" || said === there) return said;
  const marked = markedUrn(said);
  const type = urnType(marked ?? said);
  if (type === undefined || type !== urnType(there) || known.isTaken(there)) return said;
  return marked !== undefined || known.mayBeAnew(said) ? there : said;
}
