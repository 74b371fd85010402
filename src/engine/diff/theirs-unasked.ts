import type { MovedKind } from "../../kinds/kind.ts";
import type { Comparison } from "./compare.ts";
import { notAskedAt } from "./first-contact.ts";
import type { DiffInput } from "./input.ts";
import type { Kept } from "./kept.ts";
import { ofNothing, printAt } from "./kept.ts";

/**
 * What somebody has changed at the target while the source cannot be asked for it, and a row is written all the same, since other
 * fields were decided: that word is theirs. It stays where the source says what it said then (of what it had nothing of: nothing
 * still); with `isKept` a person has said so, and without nobody has been asked about what the source had.
 */
export function theirsUnasked(
  { kind, urn }: { readonly kind: MovedKind; readonly urn: string },
  { row, tree, target, targetFingerprint, left }: Comparison,
  { asked, applied }: DiffInput,
  isKept: boolean,
): Kept {
  const before = row?.targetFingerprint;
  if (row?.sourceFingerprint === undefined || before === targetFingerprint) return {};
  const askedFor = asked?.source.get(kind.name);
  const last = askedFor === undefined ? undefined : applied?.get(kind.name, urn);
  if (last === undefined || last.print !== before) return {};
  const unasked = [target, last.tree].flatMap((there) => notAskedAt(tree, kind, askedFor, there));
  return Object.fromEntries(
    [...new Set(unasked)].sort().flatMap((pointer): [string, string][] => {
      const brought = printAt(last.tree, pointer);
      const isTheirs = printAt(target, pointer) !== brought && !left.includes(pointer);
      return isTheirs ? [[pointer, isKept || brought === "" ? brought : ofNothing]] : [];
    }),
  );
}
