import { fingerprint, stableText } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { pairKeys, withKeys } from "../../model/pair-keys.ts";
import { otherContent, outOfPlace } from "../../model/part-places.ts";
import { isTemporaryKey, subEntityKeys } from "../../model/sub-entity.ts";
import type { Translation } from "../../model/translate.ts";
import type { MovedKind } from "../../kinds/kind.ts";
import { namesItsParts } from "../facets/standing.ts";

/** A source body in the target's words, under the keys of the parts that are known there. */
interface Worded {
  readonly tree: JsonObject;
  readonly translation: Translation;
}

interface PartTwins<T extends Worded> {
  readonly worded: T;
  /** Keys remembered of parts that stand at the target where they stand at the source. */
  readonly known: Readonly<Record<string, string>>;
  /** Keys of parts that were found out by what they are about. */
  readonly paired: Readonly<Record<string, string>>;
  /** The tree with all of them. */
  readonly keyed: JsonObject;
}

/**
 * Which part at the target is the twin of which: what is remembered, and of the others what they are about. What is remembered of
 * a part that stands in another place by now is no key that a request could name it by. And where both sides say the same in all,
 * what others may name is what it says: two inputs that have swapped their names are each other's twins from then on, and
 * whoever maps one of them is led to the one of its name.
 */
export function partTwins<T extends Worded>(
  kind: MovedKind,
  remembered: Readonly<Record<string, string>>,
  target: (tree: JsonObject) => JsonObject,
  word: (keys: Readonly<Record<string, string>>) => T,
): PartTwins<T> {
  const there = subEntityKeys(target({}));
  const withKnown = (known: Readonly<Record<string, string>>): PartTwins<T> => {
    const worded = word(known);
    // Only what stands under a temporary key is still to be paired.
    const isOpen = there.size > 0 && [...subEntityKeys(worded.tree)].some(isTemporaryKey);
    const paired = isOpen ? pairKeys(worded.tree, target(worded.tree), kind.shape) : {};
    const namesThem = sizeOf(paired) > 0 && worded.translation.unresolved.some(({ form }) => form === "urn");
    // What names a part by its URN has it, too, once the twin of that is known.
    const again = namesThem ? word(joinedKeys(known, paired)) : worded;
    return { worded: again, known, paired, keyed: withKeys(again.tree, paired) };
  };
  const inPlace = (known: Readonly<Record<string, string>>): PartTwins<T> => {
    const found = withKnown(known);
    if (there.size === 0) return found;
    const left = without(known, outOfPlace(found.keyed, target(found.worded.tree)));
    return sizeOf(left) === sizeOf(known) ? found : inPlace(left);
  };
  const found = inPlace(only(remembered, there));
  if (!namesItsParts(kind) || sizeOf(found.known) === 0) return found;
  const body = target(found.worded.tree);
  if (stableText(found.keyed) === stableText(body)) return found;
  if (fingerprint(found.keyed, kind.shape) !== fingerprint(body, kind.shape)) return found;
  const other = otherContent(found.keyed, body, kind.shape);
  return other.size === 0 ? found : inPlace(without(found.known, other));
}

type Keys = Readonly<Record<string, string>>;

function only(keys: Keys, there: ReadonlySet<string>): Keys {
  return kept(keys, (key) => there.has(key));
}

function without(keys: Keys, out: ReadonlySet<string>): Keys {
  return kept(keys, (key) => !out.has(key));
}

/** Mostly all of them: V8 makes a class of every other set of keys, so that none is copied without need. */
function kept(keys: Keys, isWanted: (key: string) => boolean): Keys {
  const entries = Object.entries(keys);
  const wanted = entries.filter(([, key]) => isWanted(key));
  return wanted.length === entries.length ? keys : Object.fromEntries(wanted);
}

/** These, and what was found out besides. */
export function joinedKeys(keys: Keys, more: Keys): Keys {
  if (keys === more || sizeOf(more) === 0) return keys;
  return sizeOf(keys) === 0 ? more : { ...keys, ...more };
}

function sizeOf(keys: Keys): number {
  return Object.keys(keys).length;
}
