import type { MovedKind } from "../../kinds/kind.ts";
import type { Trouble } from "../../kinds/trouble.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import { printOf } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject, own } from "../../model/json.ts";
import { isKeyedOtherwise } from "../../model/part-places.ts";
import type { Shape } from "../../model/shape.ts";
import { strip } from "../../model/shape.ts";
import { uuidOf } from "../../model/urn.ts";
import { walk } from "../../model/walk.ts";
import type { ReadClient } from "../../service/index.ts";
import { isEmpty } from "../diff/first-contact.ts";
import { draftReader, draftWithinReader, saysDraftWithin } from "../facets/drafts.ts";
import { namesItsParts, onlyAdds } from "../facets/standing.ts";
import { isDraftOf } from "../drafts.ts";
import { holds } from "../settle/holds.ts";
import type { Built } from "./built.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";

const discard = "Publish or discard the draft in the web application, and run again.";
const again = "Nothing was sent for it; run again to see where it stands.";

/** Whether a step changes or deletes what people may have changed meanwhile; one with a probe looks for itself. */
function isLookedAt(task: Task): boolean {
  const { effect, probe } = currentStep(task);
  if (onlyAdds(task.kind)) return false;
  return effect === "removes" || (effect === "changes" && probe === undefined);
}

interface Pair {
  readonly task: Task;
  readonly built: Built;
}

/** Of what is about to be sent in one request, what stands as it was seen, and what is left, and why. */
export async function lookOnceMore(
  pairs: readonly Pair[],
  client: ReadClient,
  gone: ReadonlySet<string>,
): Promise<{
  readonly free: readonly Pair[];
  readonly hindered: readonly { readonly task: Task; readonly reason: string }[];
  readonly fatal: Trouble | undefined;
}> {
  const hindrances = await Promise.all(
    pairs.map(async ({ task, built }) =>
      isLookedAt(task) || built.besides !== undefined ? hindranceOf(task, built, client, gone) : undefined,
    ),
  );
  return {
    free: pairs.filter((_, index) => hindrances[index] === undefined),
    hindered: pairs.flatMap(({ task }, index) => {
      const hindrance = hindrances[index];
      return hindrance === undefined ? [] : [{ task, reason: hindrance.reason }];
    }),
    fatal: hindrances.find((hindrance) => hindrance?.fatal !== undefined)?.fatal,
  };
}

/** Why the step is not sent after all; `fatal` where nothing else would get through either. */
async function hindranceOf(
  task: Task,
  built: Built,
  client: ReadClient,
  gone: ReadonlySet<string>,
): Promise<{ readonly reason: string; readonly fatal?: Trouble } | undefined> {
  try {
    const reason = await movedSince(task, built, client, gone);
    return reason === undefined ? undefined : { reason };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === undefined) throw error;
    const reason = `it could not be read again to see whether somebody changed it meanwhile, and nothing was sent for it: ${trouble.reason}`;
    // That one object may not be read says nothing of the others.
    return trouble.fatal === undefined || trouble.fatal === "permission"
      ? { reason }
      : { reason, fatal: trouble };
  }
}

/**
 * Between the diff and a write lies the whole run, and people go on working at the target. So what is about to be
 * changed or deleted is read once more, right before the request: what is not as the diff saw it is left to its
 * author. Answers why, or undefined when it stands as it was. `gone` are the UUIDs of what this run has deleted: that
 * a reference to one of them went with it is nobody's edit.
 */
async function movedSince(
  task: Task,
  { item, before, besides }: Built,
  client: ReadClient,
  gone: ReadonlySet<string>,
): Promise<string | undefined> {
  const { kind } = task;
  const step = currentStep(task);
  const target = item.target ?? "";
  const seen = before ?? strip(item.whole, kind.shape);
  const isAsSeen = (body: JsonObject): boolean => standsAsSeen(kind, seen, body, gone);
  if (step.effect === "removes") {
    const found = { urn: target, name: item.name, body: item.whole };
    // Lists take their time: what is deleted is looked at behind them, right before the request.
    const said = await besides?.(client);
    const [published, draft, within] = await Promise.all([
      kind.one?.(client, target, item.whole),
      draftReader(kind)?.(client, found),
      draftWithinReader(kind)?.(client, found),
    ]);
    if (published !== undefined && !isAsSeen(published)) return changed("deleted");
    if (within !== undefined) return `${saysDraftWithin(within)}. ${discard}`;
    if (said !== undefined) return `${said}. ${again}`;
    const prints = [
      printOf(seen, kind.shape),
      published === undefined ? undefined : printOf(published, kind.shape),
    ];
    return draft === undefined || isDraftOf(kind, draft, prints) ? undefined : drafted("deleted with it");
  }
  const kept = await besides?.(client);
  if (kept !== undefined) return `${kept}. ${again}`;
  if (!isLookedAt(task)) return undefined;
  const latest = await step.readBack?.(client, item);
  if (latest === undefined || (isAsSeen(latest) && kind.isChangeDraft?.(latest) !== false)) return undefined;
  // What this run has created lacks what its second pass adds; fields that the service filled are no edit.
  if (task.pass === "second" && holds(seen, latest, kind.shape) && lacks(latest, item.body, kind.shape))
    return undefined;
  // A draft may have been read in the place of the published version.
  const publish = task.steps.find(({ effect }) => effect === "releases");
  const published = await publish?.readBack?.(client, item);
  return published !== undefined && isAsSeen(published) ? drafted("published with ours") : changed("changed");
}

function changed(what: string): string {
  return `it was changed at the target after the diff was made, and is not ${what}. ${again}`;
}

function drafted(what: string): string {
  return `somebody opened a draft of it at the target after the diff was made, which would be ${what}. ${discard}`;
}

export function standsAsSeen(
  kind: MovedKind,
  seen: JsonObject,
  body: JsonObject,
  gone: ReadonlySet<string>,
): boolean {
  if (printOf(body, kind.shape) === printOf(seen, kind.shape)) return standsUnderKeys(kind, seen, body);
  if (gone.size === 0) return false;
  return printOf(lessGone(body, gone), kind.shape) === printOf(lessGone(seen, gone), kind.shape);
}

/** The print does not tell which part is called what, and others name parts by their keys. */
function standsUnderKeys(kind: MovedKind, seen: JsonObject, body: JsonObject): boolean {
  return (
    !namesItsParts(kind) || !isKeyedOtherwise(strip(body, kind.shape), strip(seen, kind.shape), kind.shape)
  );
}

function lessGone(body: JsonObject, gone: ReadonlySet<string>): JsonObject {
  return walk(body, (form, value) => (form === "urn" && gone.has(uuidOf(value)) ? undefined : value));
}

/** None of what is about to be added is there yet: what a service shows in the place of nothing (`""`, say) is nothing. */
function lacks(body: JsonObject, added: JsonObject, { memberwise = [] }: Partial<Shape>): boolean {
  return Object.entries(added).every(([field, value]) => {
    const there = own(body, field) ?? null;
    const isByMember = memberwise.includes(field) && isObject(value) && isObject(there);
    return isByMember ? lacks(there, value, {}) : isEmpty(there);
  });
}
