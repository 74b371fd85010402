import { printOf } from "../model/canonical.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { child, isObject, own, text } from "../model/json.ts";
import { isKeyedOtherwise } from "../model/part-places.ts";
import type { Shape } from "../model/shape.ts";
import { strip } from "../model/shape.ts";
import { correlatedKeys } from "../model/sub-entity.ts";
import type { ReadClient, WriteClient } from "../service/index.ts";
import { ServiceError } from "../service/index.ts";
import type { ByHand, EntityKind, Probed, Step, StepItem } from "./kind.ts";
import { isAbsent, isNotTaken } from "./shared/answers.ts";
import { about, pairAnswers, pointedInData, withId, withUrn } from "./shared/batch.ts";
import { itemsOf, listed } from "./shared/found.ts";
import { isChangeDraft } from "./shared/monitor.ts";
import { single } from "./shared/single.ts";
import { withToldAlone } from "./shared/told-alone.ts";

/** Data-quality rules (document 2, "Endpoints used for migration"; page 04, "The rule resource"). */
const shape: Shape = {
  known: ["urn", "draftType", "name", "description", "inputGroups", "parameters", "implementation"],
  serverOwned: ["/urn", "/draftType"],
  labels: ["name", "stringExpression", "resultUrn", "transformationUrn"],
};

const create: Step = {
  name: "create",
  effect: "creates",
  atMost: 100,
  atomic: false,
  settle: "by-listing",
  async send(client, items) {
    const answer = await client.quality.createRules(items.map(withId));
    return pairAnswers(items, answer).map(withUrn);
  },
  blame: pointedInData,
};

function patch(shape: Shape): Step {
  return single({
    name: "patch",
    effect: "changes",
    isInferred: true,
    settle: "by-reading",
    send: async (client, item) => {
      // A patch on top of somebody else's draft would add to it, and again with every run.
      const probed = await probeAgain(client, item);
      if (probed.state !== "shown") return { state: "refused", reason: reasonOf(probed) };
      if (isTheirs(probed.draft, item, shape))
        return { state: "refused", reason: await whoseIsIt(client, item, shape, "changed") };
      const body = await client.quality.patchRule(item.target ?? "", item.body);
      return { state: "done", target: about(body, item), keys: correlatedKeys(body), body };
    },
    readBack: async (client, item) =>
      (await shownDraft(client, item.target ?? "")) ?? (await client.quality.rule(item.target ?? "")),
    probe: look,
  });
}

/** No document has `version` for rules: a service may not look at it, and may refuse it, which shows no draft either. */
async function shownDraft(client: ReadClient, urn: string): Promise<JsonObject | undefined> {
  try {
    return await client.quality.rule(urn, { version: "DRAFT" });
  } catch (error) {
    if (isNotTaken(error)) return undefined;
    throw error;
  }
}

/**
 * Whether `version=DRAFT` is known for rules is not documented: the answer to an empty merge patch, which changes
 * nothing, shows the draft for certain.
 */
async function probe(client: WriteClient, item: StepItem): Promise<Probed> {
  try {
    return { state: "shown", draft: await client.quality.patchRule(item.target ?? "", {}) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.kind === "not-found") return { state: "gone" };
    if (error.kind === "unreadable") return await probeByReading(client, item.target ?? "", error);
    // Where PATCH is not offered at all the engine has to know: it plans without.
    if (error.kind !== "refused" || [404, 405, 501].includes(error.status ?? 0)) throw error;
    return { state: "refused", reason: error.message };
  }
}

/**
 * No document shows what a patch of a rule answers, and it may be nothing. The draft is read then; what does not say that it is
 * one may be the published version, which says nothing of what others have open. Throws the error where none is shown.
 */
async function probeByReading(client: ReadClient, urn: string, error: ServiceError): Promise<Probed> {
  const draft = await shownDraft(client, urn);
  const type = draft === undefined ? undefined : text(draft, "draftType");
  if (draft === undefined || type === undefined || type === "NONE") throw error;
  return { state: "shown", draft };
}

/** Whether the draft is not what the diff saw published. */
function isTheirs(draft: JsonObject, { whole }: StepItem, shape: Shape): boolean {
  return !isChangeDraft(draft) || isOther(draft, whole, shape);
}

/** The print does not tell which part is called what, and others name inputs by their keys. */
function isOther(body: JsonObject, seen: JsonObject, shape: Shape): boolean {
  if (printOf(body, shape) !== printOf(seen, shape)) return true;
  return isKeyedOtherwise(strip(body, shape), strip(seen, shape), shape);
}

/** Either people published something since, or they are about to. */
async function whoseIsIt(
  client: WriteClient,
  { target, whole }: StepItem,
  shape: Shape,
  what: "changed" | "deleted",
): Promise<string> {
  const published = await client.quality.rule(target ?? "");
  if (published !== undefined && isOther(published, whole, shape))
    return `it was changed at the target after the diff was made, and is not ${what}. Nothing of ours was added to it; run again to see where it stands.`;
  const lost = what === "changed" ? "published with ours" : "deleted with it";
  return `it has an open draft of somebody else at the target, which would be ${lost}. Publish or discard the draft in the web application, and run again.`;
}

/**
 * Before a rule is changed or deleted. Where rules cannot be patched at all there is no question to ask; that is asked
 * twice, or what a gateway did not find just now would have a draft of somebody deleted unseen, or all rules planned without their
 * change. An answer that shows no draft is none: nothing was sent that changes anything, and the others go on.
 */
async function probeAgain(client: WriteClient, item: StepItem): Promise<Probed> {
  try {
    return await probeTwice(client, item);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== "unreadable") throw error;
    return {
      state: "refused",
      reason: `Whether somebody has a draft of it cannot be seen: ${error.message}`,
    };
  }
}

/** Such a service says so each time; what a gateway did not find just now is no word of it. */
async function probeTwice(client: WriteClient, item: StepItem): Promise<Probed> {
  try {
    return await probe(client, item);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  return await probe(client, item);
}

/** For whoever looks what became of a request: that rules cannot be patched at all says something of that. */
async function look(client: WriteClient, item: StepItem): Promise<Probed> {
  try {
    return await probeTwice(client, item);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return { state: "absent", reason: error.message };
  }
}

async function probeIfOffered(client: WriteClient, item: StepItem): Promise<Probed | undefined> {
  try {
    return await probeAgain(client, item);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return undefined;
  }
}

function reasonOf(probed: Exclude<Probed, { state: "shown" }>): string {
  return probed.state === "gone" ? "the object is gone at the target" : probed.reason;
}

const publish = single({
  name: "publish",
  effect: "releases",
  settle: "repeat",
  send: async (client, item) => {
    const body = await client.quality.publishRule(item.target ?? "");
    return { state: "done", target: about(body, item), ...(body === undefined ? {} : { body }) };
  },
  readBack: (client, item) => client.quality.rule(item.target ?? ""),
  probe: look,
});

function remove(shape: Shape): Step {
  return single({
    name: "delete",
    effect: "removes",
    settle: "repeat",
    send: async (client, item) => {
      // A draft would be deleted with it, and reading may not show one.
      const probed = await probeIfOffered(client, item);
      if (probed?.state === "refused") return { state: "refused", reason: probed.reason };
      if (probed?.state === "shown" && isTheirs(probed.draft, item, shape))
        return { state: "refused", reason: await whoseIsIt(client, item, shape, "deleted") };
      await client.quality.deleteRule(item.target ?? "");
      return { state: "done" };
    },
  });
}

export const rules: EntityKind = {
  name: "rules",
  selectedAs: "rules",
  mode: "entity",
  urnTypes: ["data-quality:rule"],
  feed: {
    name: "rules",
    pages: (client) =>
      withToldAlone(itemsOf(client.quality.rules()), [["implementation", "inputGroups"]], (rule) =>
        client.quality.rule(text(rule, "urn") ?? ""),
      ),
  },
  accept: listed,
  one: (client, urn) => client.quality.rule(urn),
  refersTo: ["dimensions", "transformations"],
  ownsParts: true,
  isChangeDraft,
  naturalKey: (body) => [text(body, "name") ?? ""],
  byHand: conditionBuilder,
  create: [create],
  ...withShape(shape),
  withShape,
  async draft(client, target) {
    const draft = await shownDraft(client, target.urn);
    return draft !== undefined && hasDraft(draft) ? draft : undefined;
  },
};

function withShape(shape: Shape): Pick<EntityKind, "shape" | "update" | "remove"> {
  return { shape, update: [patch(shape), publish], remove: remove(shape) };
}

function hasDraft(body: JsonObject): boolean {
  const type = text(body, "draftType");
  return type !== undefined && type !== "NONE";
}

/** Logic built in the condition builder has an empty stringExpression (document 2, Migration rules 6). */
function conditionBuilder(body: JsonObject): ByHand | undefined {
  const implementation = child(body, "implementation");
  if (implementation === undefined || !hasEmptyExpression(implementation)) return undefined;
  return {
    code: "condition-builder",
    reason: "its logic was made in the condition builder, which the interface does not give out",
    suggestion:
      "Rewrite the condition at the source as an advanced expression, publish the rule, and run again; or leave it out with select.exclude.",
  };
}

function hasEmptyExpression(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasEmptyExpression);
  if (!isObject(value)) return false;
  const expression = own(value, "stringExpression");
  if (expression !== undefined && (expression === null || expression === "")) return true;
  return Object.values(value).some(hasEmptyExpression);
}
