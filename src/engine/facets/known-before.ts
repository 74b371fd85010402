import type { ByHand, MovedKind, TypeOf } from "../../kinds/kind.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";

/**
 * Whether a stripped body, in the target's words, is what this print is of, as an earlier run may have known it. Of what is worked out
 * and not read another plan or another metadata model made another word.
 */
export function wasKnownAs(
  kind: MovedKind,
  body: JsonObject,
  print: string | undefined,
  typeOf: TypeOf,
): boolean {
  if (print === undefined) return false;
  // Earlier versions went by how an instant is written.
  const { instants, ...shape } = kind.shape;
  if (instants !== undefined && fingerprint(body, shape) === print) return true;
  const known = kind.asKnownBefore?.(body, typeOf) ?? [];
  return known.some((before) => fingerprint(before, kind.shape) === print);
}

/** What is worked out of it is not clear now: once it is gone, nothing would bring it back as it is. */
export function isNotClear(kind: MovedKind, body: JsonObject): ByHand | undefined {
  return kind.asKnownBefore === undefined ? undefined : kind.byHand?.(body);
}
