import type { MasterDataReadClient } from "../../service/index.ts";
import type { BothSides, Unusable } from "../kind.ts";
import type { Needs, Place } from "./record-place.ts";
import { placeOf } from "./record-place.ts";
import { matchingOf } from "./record-query.ts";
import type { InstancePlan, MasterPlan } from "./records.ts";

/** A server, and what it has of an entity. */
export interface Side {
  readonly client: MasterDataReadClient;
  readonly place: Place;
}

/** The entity of a plan at both servers; the target is looked at after the source, and has to take writes. */
export async function bothPlaces(
  { source, target }: BothSides,
  plan: Pick<InstancePlan | MasterPlan, "filter" | "relationships">,
  needs: Pick<Needs, "of" | "columns">,
  { isTargetFiltered }: { readonly isTargetFiltered: boolean },
): Promise<Readonly<Record<"source" | "target", Side>> | Unusable> {
  const [from, to] = [source.masterData, target.masterData];
  if (from === undefined || to === undefined)
    return {
      unusable: "the plan names no master-data server for it",
      suggestion: "Write masterData (baseUrl, username, password) under source and target in the plan.",
    };
  const { filter, relationships } = plan;
  const preload = relationships.length === 0 ? {} : { preload: relationships };
  const matching = Object.keys(filter).length === 0 ? {} : { matching: matchingOf(filter) };
  const filtered = { ...matching, ...preload };
  const theirs = await placeOf(from, { ...needs, relationships, query: filtered, isWritten: false });
  if ("unusable" in theirs) return theirs;
  const query = isTargetFiltered ? filtered : preload;
  const ours = await placeOf(to, { ...needs, relationships, query, isWritten: true });
  if ("unusable" in ours) return ours;
  return { source: { client: from, place: theirs }, target: { client: to, place: ours } };
}
