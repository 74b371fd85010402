import { digest, stableText } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject, pointerToken } from "../../model/json.ts";
import { isTemporaryKey } from "../../model/sub-entity.ts";
import { tokensOf, valueAt } from "./first-contact.ts";

/**
 * Fields in which the target is to stay as it is although the source says otherwise: a person said so, or they were
 * merged. They go by JSON pointer, each with a print of what the source said then; when it says something else, the
 * field is like any other again.
 */
export type Kept = Readonly<Record<string, string>>;

/** Those that still hold. */
export function stillKept(kept: Kept | undefined, tree: JsonObject): Kept {
  if (kept === undefined) return {};
  return Object.fromEntries(
    Object.entries(kept).filter(([pointer, print]) => printAt(tree, pointer) === print),
  );
}

export function keptAt(pointers: readonly string[], tree: JsonObject): Kept {
  return Object.fromEntries([...pointers].sort().map((pointer) => [pointer, printAt(tree, pointer)]));
}

function printAt(tree: JsonObject, pointer: string): string {
  const value = valueAt(tree, tokensOf(pointer));
  return value === undefined ? "" : digest(stableText(value)).slice(0, 16);
}

/** Where a merge patch changes something: the pointers of its values; a part that is not there yet goes as a whole. */
export function pointersOf(patch: JsonObject, at = ""): readonly string[] {
  return Object.entries(patch).flatMap(([name, value]) => {
    const pointer = `${at}/${pointerToken(name)}`;
    return isObject(value) && Object.keys(value).length > 0 && !isTemporaryKey(name)
      ? pointersOf(value, pointer)
      : [pointer];
  });
}

/** Whether one lies within the other, or they are the same. */
export function touches(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}
