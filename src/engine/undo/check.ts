import { noTypes } from "../facets/model-types.ts";
import { bounded, looksAtOnce } from "../bounded.ts";
import { addressOf, isAddressable } from "../apply/address.ts";
import { isDraftOf } from "../drafts.ts";
import { EngineError } from "../progress.ts";
import type { TargetState } from "../read/target.ts";
import { printOf } from "../../model/canonical.ts";
import { isObject } from "../../model/json.ts";
import type { ReadClient } from "../../service/index.ts";
import { onRecord } from "./deed.ts";
import type { Planned, PlanContext } from "./plan.ts";
import { leftAsItIs } from "./words.ts";
import { draftReader, draftWithinReader, saysDraftWithin } from "../facets/drafts.ts";

/** What only the target can tell about what is planned: drafts of others, and whether what no list shows is gone. */
export async function checkPlanned(
  planned: readonly Planned[],
  { standing, keep, finished }: Pick<PlanContext, "standing" | "keep" | "finished">,
  client: ReadClient,
): Promise<readonly Planned[]> {
  const checked = await bounded(planned, looksAtOnce, async (item) =>
    item.absent === true
      ? checkAbsence(item, client, finished)
      : [keep(await checkDraft(item, standing, client))],
  );
  return checked.flat();
}

/**
 * A draft of somebody else at the target would be published with what is taken back, or be deleted with it: such an
 * object stays as it is. A draft that says what is published holds nobody's work.
 */
async function checkDraft(planned: Planned, { snapshot }: TargetState, client: ReadClient): Promise<Planned> {
  const { deed, kind, reverse } = planned;
  const readDraft = draftReader(kind);
  const readWithin = reverse?.what === "delete" ? draftWithinReader(kind) : undefined;
  if (reverse === undefined || reverse.what === "create") return planned;
  if (readDraft === undefined && readWithin === undefined) return planned;
  const urn = reverse.what === "patch" ? reverse.target : deed.target;
  const body = snapshot.body(kind.name, urn);
  const within = await readWithin?.(client, { urn, name: deed.name, body });
  if (within !== undefined)
    return leftAsItIs(
      deed,
      kind,
      saysDraftWithin(within),
      "Publish or discard the draft in the web application of the target, and run again.",
    );
  const draft = await readDraft?.(client, { urn, name: deed.name, body });
  if (draft === undefined || isDraftOf(kind, draft, [printOf(body, kind.shape)])) return planned;
  return leftAsItIs(
    deed,
    kind,
    `it has an open draft of somebody else at the target, which would be ${reverse.what === "delete" ? "deleted with it" : "published with it"}`,
    `Publish or discard the draft (${urn}) in the web application of the target, and run again.`,
  );
}

/**
 * Lists are not isolated from concurrent changes: what one does not show is asked for by itself. Of a type that the
 * metadata model has no more, no request finds anything (document 1, "Metadata model"): nothing follows from that.
 */
async function checkAbsence(
  planned: Planned,
  client: ReadClient,
  finished: boolean,
): Promise<readonly Planned[]> {
  const { deed, kind, entry, reverse } = planned;
  const { intent, name, target } = deed;
  const isCreate = reverse?.what === "create";
  const known = onRecord(deed);
  // Runs of earlier versions did not keep it with a change.
  if (kind.remembers !== undefined && kind.typeOf?.(known) === undefined) {
    const reason =
      "no list shows it, and of what type it was is not on record: whether it is there cannot be told";
    return [leftAsItIs(deed, kind, reason, `Look for ${target} in the web application.`)];
  }
  // Whether there is a place for the thing itself hangs on nothing that it refers to.
  const withoutType = kind.misfits?.(known, noTypes).find(({ place }) => place === undefined);
  if (withoutType !== undefined) {
    const reason = `whether it is there cannot be told: at the target, ${withoutType.reason}`;
    return [leftAsItIs(deed, kind, reason, "Bring the type back, and run again.")];
  }
  const whole = { ...addressOf(kind, known), ...(isObject(intent.whole) ? intent.whole : {}) };
  if (kind.one === undefined || !isAddressable(kind, whole)) {
    if (isCreate) {
      const reason = "the answer to its delete was lost, and it cannot be asked for by itself";
      return [leftAsItIs(deed, kind, reason, `Look for ${target} in the web application.`)];
    }
    // Who cannot be asked for is not forgotten: the next diff tells of it.
    return entry === undefined ? [planned] : [];
  }
  if ((await kind.one(client, target, whole)) === undefined) return [planned];
  throw new EngineError(
    "incomplete",
    `the list of ${kind.name} did not show "${name}" (${target}), which is there: the list moved while it was read, and what it lacks must not be taken for gone`,
    // Rows were taken back, and drafts published, before it was looked once more.
    finished ? "Run it again." : "Nothing was written. Run it again.",
  );
}
