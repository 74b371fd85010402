import type { MovedKind, Step, StepItem } from "../../kinds/kind.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { WriteClient } from "../../service/index.ts";
import type { OpenDraft } from "./subtraction.ts";
import type { ChangeInDoubt, PublishInDoubt } from "./settler.ts";
import { isAddressable, wholeOf } from "../apply/address.ts";
import { draftReader } from "../facets/drafts.ts";
import type { TargetState } from "../read/target.ts";

/**
 * What is known of an object whose step is in doubt. A run of other kinds (--kinds) has listed nothing of it: it is read by itself, or all that
 * the change did not touch would look like somebody else's.
 */
export async function wholeNow(
  kind: MovedKind,
  urn: string,
  remembered: Json | undefined,
  { client, target }: { readonly client: WriteClient; readonly target: TargetState },
): Promise<JsonObject> {
  const known = wholeOf(kind, urn, remembered, target);
  if (target.snapshot.kinds().includes(kind.name) || !isAddressable(kind, known)) return known;
  return { ...known, ...(await kind.one?.(client, urn, known)) };
}

/** How a patch in doubt is looked at. */
export function changeReads(
  step: Step,
  client: WriteClient,
  item: StepItem,
): Pick<ChangeInDoubt, "readBack" | "probe"> {
  const { readBack, probe } = step;
  return {
    readBack: async () => readBack?.(client, item),
    probe: probe === undefined ? undefined : async () => probe(client, item),
  };
}

/** How a publish in doubt is looked at. */
export function publishReads(
  kind: MovedKind,
  step: Step,
  client: WriteClient,
  item: StepItem,
): Pick<PublishInDoubt, "published" | "draft"> {
  return {
    published: async () => step.readBack?.(client, item),
    draft: draftLook(kind, step, client, item),
  };
}

/** Looks at the open draft of an object: by a change of nothing where reading may not show it. */
export function draftLook(
  kind: MovedKind,
  step: Step,
  client: WriteClient,
  item: StepItem,
): (() => Promise<OpenDraft>) | undefined {
  const { probe } = step;
  if (probe !== undefined) return async () => probe(client, item);
  const readDraft = draftReader(kind);
  if (readDraft === undefined) return undefined;
  return async () => {
    const body = await readDraft(client, { urn: item.target ?? "", name: item.name, body: item.whole });
    return body === undefined ? { state: "none" } : { state: "shown", draft: body };
  };
}
