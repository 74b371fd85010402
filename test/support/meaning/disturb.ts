import type { Json, JsonObject } from "../../../src/emulator/index.ts";

/** Where in a body something stands that is neither a map nor a list. */
export type Path = readonly (string | number)[];

export function leaves(value: Json, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => leaves(entry, [...path, index]));
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, entry]) => leaves(entry, [...path, key]));
  }
  return [path];
}

/** A copy in which one leaf is another, is gone, or has a neighbour that no document names. */
export function disturbed(body: JsonObject, path: Path, how: "change" | "remove" | "add"): JsonObject {
  const copy = structuredClone(body);
  let parent: Json = copy;
  for (const step of path.slice(0, -1)) parent = (parent as JsonObject)[step] ?? null;
  const last = path.at(-1) ?? "";
  const holder = parent as JsonObject;
  const value = holder[last];
  if (how === "add") holder[Array.isArray(parent) ? String(parent.length) : "nobodyNamedThis"] = "new";
  else if (how === "change") {
    if (typeof value === "string") holder[last] = `${value}~`;
    else if (typeof value === "number") holder[last] = value + 1;
    else holder[last] = typeof value === "boolean" ? !value : "was null";
  } else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete holder[last];
  return copy;
}
