import type { MovedKind } from "../../kinds/kind.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { notAskedAt, withLeft } from "./first-contact.ts";
import type { DiffInput } from "./input.ts";

/** The print of the target if what it cannot be asked for stood there as it was last applied; undefined where that is not known. */
export function unaskedAtTarget(
  { kind, urn }: { readonly kind: MovedKind; readonly urn: string },
  { row, target }: { readonly row: MappingEntry | undefined; readonly target: JsonObject },
  { applied, asked }: DiffInput,
): string | undefined {
  const last = applied?.get(kind.name, urn);
  if (last === undefined || last.print !== row?.targetFingerprint) return undefined;
  const unasked = notAskedAt(target, kind, asked?.target.get(kind.name), last.tree);
  return fingerprint(withLeft(target, unasked, last.tree, kind.shape), kind.shape);
}
