import type { TargetState } from "../engine/read-target.ts";
import { fingerprint } from "../model/canonical.ts";
import { strip } from "../model/shape.ts";
import type { ReadClient } from "../service/index.ts";
import type { Planned } from "./rollback-plan.ts";
import { leftAsItIs } from "./rollback-words.ts";

/**
 * A draft of somebody else at the target would be published with what is taken back, or be deleted with it: such an
 * object stays as it is. A draft that says what is published holds nobody's work.
 */
export async function checkPlannedDrafts(
  planned: readonly Planned[],
  standing: TargetState,
  client: ReadClient,
): Promise<readonly Planned[]> {
  return Promise.all(planned.map(async (item) => checkDraft(item, standing, client)));
}

async function checkDraft(planned: Planned, { snapshot }: TargetState, client: ReadClient): Promise<Planned> {
  const { deed, kind, reverse } = planned;
  if (reverse === undefined || reverse.what === "create" || kind.mode === "link" || kind.draft === undefined)
    return planned;
  const body = snapshot.body(kind.name, deed.target);
  const draft = await kind.draft(client, { urn: deed.target, name: deed.name, body });
  const [theirs, there] = [draft ?? body, body].map((one) => fingerprint(strip(one, kind.shape), kind.shape));
  if (theirs === there) return planned;
  return leftAsItIs(
    deed,
    kind,
    `it has an open draft of somebody else at the target, which would be ${reverse.what === "delete" ? "deleted with it" : "published with it"}`,
    `Publish or discard the draft (${deed.target}) in the web application of the target, and run again.`,
  );
}
