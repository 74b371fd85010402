import type { MovedKind } from "../../kinds/kind.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { saysOtherwise } from "../../model/part-places.ts";
import { isTemporaryKey, subEntityKeys } from "../../model/sub-entity.ts";
import type { AppliedTrees } from "../../store/index.ts";
import { namesItsParts } from "../facets/standing.ts";

/**
 * Whether somebody has only given the parts of a thing each other's names at the target since it was last applied: its print, which
 * holds no keys, is still that of then. Known only while what was last applied is, under the keys that the target has assigned.
 */
export function isSwappedThere(
  kind: MovedKind,
  urn: string,
  there: { readonly print: string | undefined; readonly body: JsonObject },
  applied: AppliedTrees | undefined,
): boolean {
  if (!namesItsParts(kind) || there.print === undefined) return false;
  const last = applied?.get(kind.name, urn);
  if (last?.print !== there.print || [...subEntityKeys(last.tree)].some(isTemporaryKey)) return false;
  return (
    fingerprint(last.tree, kind.shape) === there.print && saysOtherwise(last.tree, there.body, kind.shape)
  );
}
