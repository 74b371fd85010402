import { fingerprint } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import { isCarriedOut, printOfRow } from "../../model/mapping.ts";
import { shellWord } from "../../model/shell-word.ts";
import { isFormOf } from "../../model/value-form.ts";
import type { Comparison } from "./compare.ts";
import type { Before } from "./anew.ts";
import { beforeAnew } from "./anew.ts";
import { addedThere } from "./added-there.ts";
import type { Decided } from "../../store/index.ts";
import type { Since } from "./both-sides.ts";
import { merged, sinceApplied, withBase } from "./both-sides.ts";
import { compared, sourcePrints, unchanged } from "./compared.ts";
import type { Context, Draft } from "./draft.ts";
import { blocked, draft, note } from "./draft.ts";
import { unfit } from "./unfit.ts";
import { differsInUnasked, isClash, lessUnfilled } from "./first-contact.ts";
import type { DiffInput } from "./input.ts";
import { keptAt, lapsedIn, pointersOf } from "./kept.ts";
import { losesKept } from "./loses-kept.ts";
import type { Node } from "./node.ts";
import type { Resolver } from "./resolver.ts";
import { isAsApplied, unaskedAtTarget } from "./unasked-there.ts";
import { theirsUnasked } from "./theirs-unasked.ts";
import { isSwappedThere } from "./swapped-there.ts";
import { isTakenOut } from "./taken-out.ts";
import { takesTheirs } from "./theirs-within.ts";
import { wasKnownAs } from "../facets/known-before.ts";
import { typesIn } from "../facets/model-types.ts";
import { onlyAdds } from "../facets/standing.ts";

/** Who has moved since the target was last brought to the source decides what is to be done. */
export function threeWay(node: Node, now: Comparison, context: Context): Draft {
  const { policy } = context.input.plan;
  if (now.translation.unresolved.length > 0) return blocked(node, now, context);
  const refused = context.input.unpublished?.get(node.key);
  if (refused !== undefined && now.targetFingerprint !== node.entry?.targetFingerprint)
    return unpublished(node, refused, context);
  const left = context.input.finishing?.has(node.key) === true ? node.entry?.unfinished : undefined;
  if (left !== undefined && now.targetFingerprint !== node.entry?.targetFingerprint)
    return finishing(node, now, context, left);
  if (Object.keys(now.difference.patch).length === 0) return unchanged(node, now, context);
  // Nobody has changed at the target what it cannot be asked for.
  const asked = context.input.asked?.target.get(node.kind.name);
  const isUnasked = differsInUnasked(node.kind, now.difference.patch, asked);
  const misfit = isUnasked ? unfit(node, now.tree, context) : undefined;
  if (misfit !== undefined) return misfit;
  const { source, target, because } = movedSince(node, now, context);
  const isLink = onlyAdds(node.kind);
  const isTaken = policy.conflict !== "source-wins" && isClash(node, now, now.difference.fields, policy);
  const update = (reason: string): Draft => {
    if (losesKept(node, now, context))
      return contested(node, now, context, "conflict", `${reason}, ${replacedAway}`);
    if (takesTheirs(now, policy).length === 0) return compared(node, now, context, "update", reason);
    return policy.conflict === "source-wins"
      ? overwriting(compared(node, now, context, "update", reason))
      : contested(node, now, context, "conflict", `${reason}, ${takenAlong}`);
  };
  const overwrite = (reason: string): Draft => overwriting(update(reason));
  if (source === "unknown") {
    // Only where we have never known the target either is nothing there to be overwritten by surprise.
    if (target === "unknown") {
      return isTaken
        ? strangers(node, now, context)
        : update("first contact: the source says how it should be");
    }
    // What a rollback gave back to those who had said it is theirs, as it was at first contact.
    if (!target || isLink)
      return isTaken
        ? strangers(node, now, context)
        : update("it was not brought to what the source says yet");
    return policy.conflict === "source-wins"
      ? overwrite(
          "it was changed at the target before it was as the source says; policy.conflict says that the source wins",
        )
      : contested(
          node,
          now,
          context,
          "conflict",
          "it was changed at the target, and was not brought to what the source says yet",
        );
  }
  if (!source && target !== true) {
    if (because !== undefined && lapsedIn(now.row, now).length > 0)
      return policy.conflict === "source-wins"
        ? overwrite(`${because}; policy.conflict says that the source wins`)
        : contested(node, now, context, "conflict", notAsked);
    if (because !== undefined) return update(because);
    // Nobody changed anything: what is left to do is what the policy did not ask for the last time. A form in which the service keeps what
    // it was sent would be sent once more by every run.
    const isForm = (): boolean =>
      now.difference.fields.every(({ from, to }) => to !== undefined && isFormOf(from, to));
    return policy.targetOnly === "remove" && !isLink && !isForm()
      ? update("policy.targetOnly says to remove what only the target has")
      : unchanged(node, now, context);
  }
  if (target !== true) {
    if (isTaken) return strangers(node, now, context);
    const isKept = lapsedIn(now.row, now).length > 0;
    const isAdded = addedThere(now, policy).length > 0;
    if (!isKept && !isAdded) return update("it changed at the source");
    if (policy.conflict === "source-wins")
      return overwrite("it changed at the source; policy.conflict says that the source wins");
    const both = isAdded ? addedOnBoth : "the source has changed what the target was to keep";
    return contested(node, now, context, "conflict", both);
  }
  if (isLink) return update("the target lacks some of its relations");
  if (source) {
    return policy.conflict === "source-wins"
      ? overwrite("it changed on both sides; policy.conflict says that the source wins")
      : contested(node, now, context, "conflict", "it changed on both sides since the last apply");
  }
  return policy.drift === "overwrite"
    ? overwrite("it was changed at the target; policy.drift says to overwrite")
    : contested(node, now, context, "drift", "it was changed at the target since the last apply");
}

/**
 * An interrupted run has patched it, and lists show what was there before: nobody else has changed that. It is a write
 * of the next apply, also where the source says by now what they show.
 */
function finishing(node: Node, now: Comparison, context: Context, step: string): Draft {
  const { sourceFingerprint, withNotAskedFingerprint } = now;
  const known = node.entry?.sourceFingerprint;
  const hasMoved = known !== sourceFingerprint && known !== withNotAskedFingerprint;
  const since = hasMoved ? "; it changed at the source since, and is brought to that after it" : "";
  const reason = `an interrupted run changed it at the target; its ${step} is still to be done${since}`;
  const work = { ...sourcePrints(now), targetFingerprint: now.targetFingerprint };
  const made =
    Object.keys(now.difference.patch).length === 0
      ? draft(node, "update", context, { reason, work })
      : compared(node, now, context, "update", reason);
  if (made.change.action !== "update") return made;
  return { ...made, change: { ...made.change, work: { ...made.change.work, unfinished: step } } };
}

/** The same where the service has refused to publish it just now: nobody else has changed that either. */
function unpublished(node: Node, why: string, context: Context): Draft {
  const reason = `an interrupted run changed it at the target, and that could not be published: ${why}`;
  return draft(node, "blocked", context, { reason, diagnostics: [note(node, "unfinished", reason)] });
}

/** Somebody made a change at the target that this undoes: said with the object, counted with what the run does. */
function overwriting(made: Draft): Draft {
  const { action, diagnostics } = made.change;
  const writes = action === "update" || action === "replace";
  if (!writes || diagnostics.some(({ code }) => code === "overwrites")) return made;
  const told = note(
    made.node,
    "overwrites",
    action === "update"
      ? "what somebody changed at the target is overwritten"
      : "what somebody changed at the target is not in the new one",
    undefined,
    "warning",
  );
  return { ...made, change: { ...made.change, diagnostics: [...diagnostics, told] } };
}

const replacedAway =
  "and in a new one, which policy.replace asks for, what the target was to keep would be lost";
const takenAlong = "and with what is to go would go parts that somebody has added to it at the target";
const addedOnBoth = "both sides have added a part of the same name, and the two differ";
const notAsked = "it was changed at the target, and nobody has been asked about that yet";
const anew = "what it refers to is created anew";
const otherwise = "the plan, or what the target has for what it refers to, is another since the last apply";

interface Moved {
  readonly source: boolean | "unknown";
  readonly target: boolean | "unknown";
  /** Why a side that has not moved differs all the same; undefined where it does not. */
  readonly because: string | undefined;
}

function movedSince(node: Node, now: Comparison, { input, resolver }: Context): Moved {
  const { sourceFingerprint: source, targetFingerprint: target } = now.row ?? {};
  const isSame = source === now.sourceFingerprint && target === now.targetFingerprint;
  const before = isSame || target === undefined ? undefined : beforeAnew(node, now, input, resolver);
  const moved = (then: string | undefined, side: keyof Before): boolean | "unknown" =>
    then === undefined ? "unknown" : then !== now[side] && then !== before?.[side];
  const isSwitchedAt = (): boolean =>
    source !== undefined && switchedOtherwise(node, now, input, resolver).includes(source);
  const sourceMoved = target === undefined ? "unknown" : moved(source, "sourceFingerprint");
  // A property that the source's model does not name any more is no word that it was cleared.
  const isUnasked = (): boolean => source === now.withNotAskedFingerprint;
  const isKnown = (body: JsonObject, print: string | undefined): boolean =>
    wasKnownAs(node.kind, body, print, typesIn(input.registry, input.target.snapshot));
  const isMoved =
    sourceMoved === true && (isSwitchedAt() || isUnasked() || isKnown(now.tree, source))
      ? false
      : sourceMoved;
  // Nor is one that the target's model does not name, or let be written, any more a word that somebody has taken it away there.
  const isUnaskedThere = (): boolean => target === unaskedAtTarget(node, now, input);
  // Nor has anybody brought what shows again after something else was written while it did not.
  const isBack = (): boolean => isAsApplied(node, { row: now.row, now: now.targetFingerprint }, input);
  const isSwapped = (): boolean =>
    target === now.targetFingerprint &&
    isSwappedThere(node.kind, node.urn, { print: target, body: now.target }, input.applied);
  // Of what was made without a field a service may show an empty text there, until that is brought: nobody wrote it.
  const isUnfilled = (): boolean =>
    source === undefined &&
    target === fingerprint(lessUnfilled(now.target, now.tree, node.kind.shape), node.kind.shape);
  // Who turns the switch that a policy leaves to the target has changed nothing that is written over.
  const isTurnedThere = (): boolean =>
    target !== undefined && turnedOtherwise(node, now, input, resolver).includes(target);
  // Nor has anybody changed what has lost a reference since that leads to what is gone.
  const isLess = (): boolean =>
    isTakenOut(node.kind, node.urn, { print: target, now: now.targetFingerprint }, input, resolver);
  const targetMoved = moved(target, "targetFingerprint");
  const isTheirs = (): boolean | "unknown" => {
    if (targetMoved === "unknown") return targetMoved;
    if (!targetMoved) return isSwapped();
    return (
      !isUnaskedThere() &&
      !isBack() &&
      !isUnfilled() &&
      !isTurnedThere() &&
      !isKnown(now.target, target) &&
      !isLess()
    );
  };
  // What it says in the target's words is another thing only because of what that has for what it refers to.
  const own = now.row?.ownFingerprint;
  const isOwn = isMoved === true && own !== undefined && own === now.ownFingerprint;
  const isAnew = before !== undefined || (isOwn && now.translation.pending.size > 0);
  return {
    source: isOwn ? false : isMoved,
    target: isTheirs(),
    because: isAnew ? anew : isOwn ? otherwise : undefined,
  };
}

/**
 * Where a policy leaves a switch to the target, the source's body has it from there: somebody who turns it there has
 * not changed the source. So the source is looked at as it would be brought to nothing, and as it says itself, too.
 */
function switchedOtherwise(
  { kind }: Node,
  { translation }: Comparison,
  { plan }: DiffInput,
  { types }: Resolver,
): string[] {
  if (kind.adapt === undefined) return [];
  const { tree } = translation;
  return [tree, kind.adapt(tree, plan.policy, undefined, types)].map((body) => fingerprint(body, kind.shape));
}

/** The target as it would be with that switch as it is brought to nothing, and as the source says it. */
function turnedOtherwise(
  { kind }: Node,
  { target, translation }: Comparison,
  { plan }: DiffInput,
  { types }: Resolver,
): string[] {
  if (kind.adapt === undefined) return [];
  return [
    kind.adapt(target, plan.policy, undefined, types),
    kind.adapt(target, plan.policy, translation.tree, types),
  ].map((body) => fingerprint(body, kind.shape));
}

function strangers(node: Node, now: Comparison, context: Context): Draft {
  const reason = "both sides say something of it, and were never brought together";
  return contested(node, now, context, "conflict", reason);
}

/** Left to a person, unless one has decided, or what both sides have changed can be merged. */
function contested(
  node: Node,
  now: Comparison,
  context: Context,
  action: "drift" | "conflict",
  reason: string,
): Draft {
  const choice = decidedFor(node, now, context);
  if (choice !== undefined) {
    const who = `${choice.by} decided on ${choice.at.slice(0, 10)}`;
    return choice.choice === "keep-target"
      ? keepTarget(node, now, context, `${who} to keep the target's version`)
      : overwriting(compared(node, now, context, "update", `${who} to take the source's version`));
  }
  const since = sinceApplied(node, now, context);
  if (action === "conflict" && context.input.plan.policy.conflict === "merge" && since !== undefined) {
    const both = merged(node, now, since, context);
    const why = "it changed on both sides, in different fields; policy.conflict says to merge";
    if (both !== undefined && !losesKept(node, both, context))
      return Object.keys(both.difference.patch).length > 0
        ? compared(node, both, context, "update", why)
        : keepTarget(node, both, context, why);
  }
  return reported(node, now, context, action, `${reason}${lapsed(node, now, context)}`, since);
}

/** What became of a decision that was about other versions than these. */
function lapsed(node: Node, now: Comparison, { input }: Context): string {
  const found = input.decided?.get(node.kind.name, node.urn);
  if (found === undefined) return "";
  const { source, target } = input.plan;
  const since = isCarriedOut(found, now.row)
    ? [`it was brought to ${target.name}`]
    : [
        ...(found.targetPrint === now.targetFingerprint ? [] : [`it changed at ${target.name}`]),
        // The source's version is what would be brought: it is another one where the plan, or a twin, is.
        ...(found.sourcePrint === now.sourceFingerprint
          ? []
          : [
              `what is to be brought to ${target.name} changed (at ${source.name}, by the plan or by the mapping)`,
            ]),
      ];
  return `; what ${found.by} decided on ${found.at.slice(0, 10)} holds no longer, since ${since.join(", and ")} after that`;
}

/** A decision is for the two versions that the person has seen, and for no others; and it is carried out once. */
function decidedFor(node: Node, now: Comparison, { input }: Context): Decided | undefined {
  const found = input.decided?.get(node.kind.name, node.urn);
  if (found === undefined || isCarriedOut(found, now.row)) return undefined;
  return found.sourcePrint === now.sourceFingerprint && found.targetPrint === now.targetFingerprint
    ? found
    : undefined;
}

/** Nothing is written: the row says from then on in which fields the target stays as it is. */
function keepTarget(node: Node, now: Comparison, context: Context, reason: string): Draft {
  const { targetFingerprint, keys, left, tree } = now;
  const kept = {
    ...theirsUnasked(node, now, context.input, true),
    ...now.theirs,
    ...now.kept,
    ...keptAt(pointersOf(now.difference.patch), tree),
  };
  return draft(node, "adopt", context, {
    reason,
    work: {
      ...sourcePrints(now),
      targetFingerprint,
      keys,
      ...(left.length === 0 ? {} : { left }),
      ...(Object.keys(kept).length === 0 ? {} : { kept }),
    },
  });
}

function reported(
  node: Node,
  now: Comparison,
  context: Context,
  action: "drift" | "conflict",
  reason: string,
  since: Since | undefined,
): Draft {
  const decide = `Decide for this one: \`ferry decide ${context.input.plan.name} ${shellWord(keyText(node.kind.name, node.urn))}\`.`;
  const suggestion =
    action === "drift"
      ? `${decide} Or change the source, or set policy.drift to overwrite to bring the target back.`
      : `${decide} Or settle it by hand, or set policy.conflict to source-wins${since === undefined ? "" : " or merge"}.`;
  return draft(node, action, context, {
    reason,
    fields: withBase(now.difference, since, node, context),
    diagnostics: [note(node, action, reason, suggestion)],
    work: {
      sourceFingerprint: now.sourceFingerprint,
      targetFingerprint: now.targetFingerprint,
      row: printOfRow(now.row),
    },
  });
}
