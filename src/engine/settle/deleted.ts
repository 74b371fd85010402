import type { EntityKind, MovedKind } from "../../kinds/kind.ts";
import { effectOf } from "../../model/journal.ts";
import type { ReadClient } from "../../service/index.ts";
import { isAddressable, wholeOf } from "../apply/address.ts";
import { standsAlone } from "../facets/standing.ts";
import type { TargetState } from "../read/target.ts";
import type { Doubt } from "./subtraction.ts";

/**
 * Whether what a run or a rollback was about to delete when it died is gone: it went by that, and to whoever looks next it would be
 * somebody else who had removed it. A list that does not show it says nothing; it is asked for by itself, and so it is where `isOld`: the
 * list was read before what is asked for here may have arrived.
 */
export async function isDeleted(
  kind: MovedKind,
  doubt: Doubt,
  { client, target }: { readonly client: ReadClient; readonly target: TargetState },
  isOld = false,
): Promise<boolean> {
  const { target: urn, whole } = doubt.item;
  if (effectOf(doubt) !== "removes" || urn === undefined) return false;
  if (!isAskable(kind)) return false;
  if (!isOld && target.snapshot.has(kind.name, urn)) return false;
  const named = wholeOf(kind, urn, whole, target);
  return isAddressable(kind, named) && (await kind.one(client, urn, named)) === undefined;
}

/** One of the kind can be read by itself. */
export function isAskable(kind: MovedKind): kind is EntityKind & Required<Pick<EntityKind, "one">> {
  return standsAlone(kind) && kind.one !== undefined;
}
