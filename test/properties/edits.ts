import type { Json, JsonObject, MutableJson } from "../../src/model/json.ts";
import { isObject, own, setOwn } from "../../src/model/json.ts";
import { replaced } from "./arbitraries.ts";
import type { Fields, Part, Sketch } from "./sketch.ts";
import { uuidFor } from "./sketch.ts";

/** Sub-entities that an edit brought have ids from here on. */
export const fresh = 1000;

/**
 * What a body becomes under somebody's hands: of its own fields and sub-entities and those of another body, some are
 * kept, some are taken over, some are gone. The same choices give the same result.
 */
export function edited(sketch: Fields, other: Fields, choices: readonly number[]): Fields {
  let at = 0;
  const choose = (): number => {
    at += 1;
    return choices[(at - 1) % choices.length] ?? 0;
  };
  return withoutDoubles(mixed(sketch, renumbered(other), choose));
}

function mixed(left: Fields, right: Fields, choose: () => number): Fields {
  const theirs = new Map(right.fields);
  const fields: (readonly [string, Sketch])[] = [];
  for (const [name, value] of left.fields) {
    const other = theirs.get(name);
    theirs.delete(name);
    const choice = choose() % 10;
    if (choice === 0) continue;
    fields.push([name, choice < 4 && other !== undefined ? either(value, other, choose) : value]);
  }
  for (const [name, value] of theirs) if (choose() % 3 === 1) fields.push([name, value]);
  return { is: "object", fields };
}

function either(left: Sketch, right: Sketch, choose: () => number): Sketch {
  if (left.is === "object" && right.is === "object") return mixed(left, right, choose);
  if (left.is !== "map" || right.is !== "map") return right;
  const kept = left.parts.flatMap((part, index): readonly Part[] => {
    const other = right.parts[index];
    const choice = choose() % 10;
    if (choice === 0) return [];
    return [
      choice < 4 && other !== undefined ? { id: part.id, body: mixed(part.body, other.body, choose) } : part,
    ];
  });
  const added = choose() % 3 === 1 ? right.parts : [];
  const all = [...kept, ...added];
  return all.length === 0 ? left : { is: "map", parts: all };
}

function renumbered(sketch: Fields): Fields {
  return replaced(sketch, (node) => {
    if (node.is === "own") return { is: "own", of: node.of + fresh };
    if (node.is !== "map") return node;
    return { is: "map", parts: node.parts.map(({ id, body }) => ({ id: id + fresh, body })) };
  }) as Fields;
}

/** Each id once: what an edit took over in two places stays in the first. */
function withoutDoubles(sketch: Fields): Fields {
  const seen = new Set<number>();
  const visit = (node: Sketch): Sketch => {
    if (node.is === "list") return { is: "list", items: node.items.map(visit) };
    if (node.is === "object") return object(node);
    if (node.is !== "map") return node;
    const parts: Part[] = [];
    for (const { id, body } of node.parts) {
      if (seen.has(id)) continue;
      seen.add(id);
      parts.push({ id, body: object(body) });
    }
    return { is: "map", parts };
  };
  const object = (node: Fields): Fields => ({
    is: "object",
    fields: node.fields.map(([name, field]) => [name, visit(field)]),
  });
  return object(sketch);
}

/** What the service makes of a patch: RFC 7386, and a key of its own for each temporary one, wherever it is named. */
export function served(
  target: JsonObject,
  patch: JsonObject,
  family: string,
): { readonly body: JsonObject; readonly keys: Readonly<Record<string, string>> } {
  const assigned = new Map<string, string>();
  const assign = (key: string): string => {
    const known = assigned.get(key) ?? uuidFor(family, assigned.size + 1);
    assigned.set(key, known);
    return known;
  };
  const isNew = (text: string): boolean => /^new_[0-9a-f-]{36}$/.test(text);
  const rename = (value: Json): Json => {
    if (typeof value === "string") return isNew(value) ? assign(value) : value;
    if (Array.isArray(value)) return value.map(rename);
    if (!isObject(value)) return value;
    const result: MutableJson = {};
    for (const [key, field] of Object.entries(value))
      setOwn(result, isNew(key) ? assign(key) : key, rename(field));
    return result;
  };
  const body = rename(merged(target, patch)) as JsonObject;
  return { body, keys: Object.fromEntries([...assigned].map(([key, stored]) => [key.slice(4), stored])) };
}

/** RFC 7386, word by word. */
export function merged(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: MutableJson = {};
  const before = isObject(target) ? target : {};
  for (const [name, value] of Object.entries(before)) setOwn(result, name, value);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else setOwn(result, name, merged(own(result, name), value));
  }
  return result;
}

/** Every way to leave one leaf out of a patch. */
export function* withoutOneLeaf(patch: JsonObject): Generator<JsonObject> {
  for (const [name, value] of Object.entries(patch)) {
    const rest = Object.entries(patch).filter(([other]) => other !== name);
    if (!isObject(value)) {
      yield Object.fromEntries(rest);
      continue;
    }
    for (const smaller of withoutOneLeaf(value)) yield Object.fromEntries([...rest, [name, smaller]]);
  }
}
