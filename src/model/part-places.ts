import { contents } from "./canonical.ts";
import type { Json, JsonObject } from "./json.ts";
import { isArray, isExact, isObject, isScalar, own } from "./json.ts";
import type { Shape } from "./shape.ts";
import { isSubEntityMap } from "./sub-entity.ts";
import { isUrn, isUrnOf } from "./urn.ts";

/**
 * Keys of parts that a body has in another place than the target has them: a request names a part by its key in the map in which
 * it stands, so what has gone from one map to another is a new part there. Both under the keys of the target.
 */
export function outOfPlace(body: JsonObject, target: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: Json, twin: Json | undefined): void => {
    if (isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, isArray(twin) ? twin[index] : undefined);
    } else if (isObject(value)) {
      const isMap = isSubEntityMap(value);
      for (const [name, field] of Object.entries(value)) {
        const there = isObject(twin) ? own(twin, name) : undefined;
        if (isMap && there === undefined) found.add(name);
        visit(field, there);
      }
    }
  };
  visit(body, target);
  return found;
}

/** Keys of parts that say something else at the target under the same key. */
export function otherContent(body: JsonObject, target: JsonObject, shape: Shape): ReadonlySet<string> {
  const there = contents(target, shape);
  const found = [...contents(body, shape)].filter(([key, content]) => there.get(key) !== content);
  return new Set(found.map(([key]) => key));
}

/** Whether two bodies of one side, which say the same in all, have it under other keys, or in other places. */
export function isKeyedOtherwise(body: JsonObject, other: JsonObject, shape: Shape): boolean {
  return outOfPlace(body, other).size > 0 || otherContent(body, other, shape).size > 0;
}

/**
 * Whether a part that both bodies of one side have says something else in one of them, or stands elsewhere. One that was made anew
 * under another key says what the former one said.
 */
export function saysOtherwise(body: JsonObject, other: JsonObject, shape: Shape): boolean {
  const there = contents(other, shape);
  return [...outOfPlace(body, other), ...otherContent(body, other, shape)].some((key) => there.has(key));
}

/**
 * Whether each part is known to stand at the target in the same place and to say the same in plain words, as far as that can be
 * told of two bodies in the words of their own sides: of one that others may name, and that refers to something, it cannot.
 */
export function standAlike(
  source: JsonObject,
  target: JsonObject,
  keys: Readonly<Record<string, string>>,
): boolean {
  return isAlike(source, target, keys, { key: "", isNamed: false });
}

interface Within {
  /** Of the part that it stands in; empty outside of any. */
  readonly key: string;
  /** Whether that part, or one that it stands in, has a URN of its own. */
  readonly isNamed: boolean;
}

function isAlike(
  source: Json,
  target: Json | undefined,
  keys: Readonly<Record<string, string>>,
  within: Within,
): boolean {
  if (isArray(source))
    return source.every((item, index) =>
      isAlike(item, isArray(target) ? target[index] : undefined, keys, within),
    );
  if (!isObject(source)) return true;
  const there = isObject(target) ? target : {};
  const isMap = isSubEntityMap(source);
  const hasUrn = Object.values(source).some(
    (value) => typeof value === "string" && isUrnOf(value, within.key),
  );
  const here = hasUrn ? { ...within, isNamed: true } : within;
  return Object.entries(source).every(([name, value]) => {
    const twin = own(there, isMap ? (keys[name] ?? "") : name);
    if (isMap && twin === undefined) return false;
    if (!isScalar(value)) return isAlike(value, twin, keys, isMap ? { ...here, key: name } : here);
    if (typeof value === "string" && isUrn(value)) return !here.isNamed || isUrnOf(value, here.key);
    return here.key === "" || isExact(value) || value === (twin ?? null);
  });
}
