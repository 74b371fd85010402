import type { MovedKind } from "../../kinds/kind.ts";
import { digest, stableText } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject, pointerToken, tokensOf } from "../../model/json.ts";
import { isSubEntityMap, isTemporaryKey } from "../../model/sub-entity.ts";
import { isNotAsked, valueAt } from "./first-contact.ts";

/**
 * Fields in which the target is to stay as it is although the source says otherwise: a person said so, or they were
 * merged. They go by JSON pointer, each with a print of what the source said then; when it says something else, both
 * sides have changed the field, and nobody has been asked about that.
 */
export type Kept = Readonly<Record<string, string>>;

/** In the place of a print: of what the source says, whatever that is, somebody has to be asked. */
export const ofNothing = "?";

/**
 * Those that still hold: of a source that says just what it said then, in its own words, all of them. Where both sides say the
 * same by now, nobody keeps anything; nor within a part that the source has no more, for a part goes as a whole.
 */
export function stillKept(
  row: { readonly kept?: Kept } | undefined,
  tree: JsonObject,
  target: JsonObject,
  saysTheSame: () => boolean,
): Kept {
  const all = Object.entries(row?.kept ?? {});
  if (all.length === 0) return {};
  const open = all.filter(
    ([pointer]) =>
      printAt(tree, pointer) !== printAt(target, pointer) && !isWithinGone(pointer, tree, target),
  );
  const holding = open.filter(([pointer, print]) => printAt(tree, pointer) === print);
  if (holding.length === open.length || !saysTheSame()) return Object.fromEntries(holding);
  return keptAt(
    open.flatMap(([pointer, print]) => (print === ofNothing ? [] : [pointer])),
    tree,
  );
}

/** Whether it lies in a part that the target has and the source has not. */
function isWithinGone(pointer: string, tree: JsonObject, target: JsonObject): boolean {
  const tokens = tokensOf(pointer);
  return tokens.slice(1).some((_within, depth) => {
    const [map, part] = [tokens.slice(0, depth), tokens.slice(0, depth + 1)];
    const isPart = isSubEntityMap(valueAt(target, map)) && valueAt(target, part) !== undefined;
    return isPart && valueAt(tree, part) === undefined;
  });
}

/** What a person said of a field holds while the source cannot be asked for it: nobody knows that it says something else. */
export function keptUnasked(
  row: { readonly kept?: Kept } | undefined,
  kind: Pick<MovedKind, "shape">,
  asked: ReadonlySet<string> | undefined,
): Kept {
  return Object.fromEntries(
    Object.entries(row?.kept ?? {}).filter(([pointer]) => isNotAsked(pointer, kind, asked)),
  );
}

/**
 * Fields in which the target was to stay as it is, and the source says something else since: whoever changed them at the target
 * has not been asked about that.
 */
export function lapsedIn(
  row: { readonly kept?: Kept } | undefined,
  now: { readonly kept: Kept; readonly difference: { readonly patch: JsonObject } },
): readonly string[] {
  const lapsed = Object.keys(row?.kept ?? {}).filter((pointer) => !Object.hasOwn(now.kept, pointer));
  if (lapsed.length === 0) return [];
  const changed = pointersOf(now.difference.patch);
  return lapsed.filter((pointer) => changed.some((other) => touches(pointer, other)));
}

export function keptAt(pointers: readonly string[], tree: JsonObject): Kept {
  return Object.fromEntries([...pointers].sort().map((pointer) => [pointer, printAt(tree, pointer)]));
}

export function printAt(tree: JsonObject, pointer: string): string {
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
