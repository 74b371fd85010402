import type { Work } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { shellWord } from "../../model/shell-word.ts";
import type { Comparison } from "./compare.ts";
import { remarks, translationDiagnostics } from "./diagnose.ts";
import type { Context, Draft } from "./draft.ts";
import { AllOfKind, asItShouldBe } from "./as-it-should-be.ts";
import { blocked, draft, nobody, note, withoutPart } from "./draft.ts";
import { unfit } from "./unfit.ts";
import { firstMet, takenOver } from "./first-contact.ts";
import { asToCome, lackingIn, lackingStop, withLacking } from "./lacking.ts";
import type { Node } from "./node.ts";
import { absent, isOffered, triedAgain } from "./not-offered.ts";
import { isRecorded } from "./row-of.ts";
import { theirsUnasked } from "./theirs-unasked.ts";
import { unaskedAtTarget } from "./unasked-there.ts";
import { toBeAsked } from "./without-place.ts";
import { wasKnownAs } from "../facets/known-before.ts";
import { typesIn } from "../facets/model-types.ts";
import { standsAlone } from "../facets/standing.ts";

export function unchanged(node: Node, now: Comparison, context: Context): Draft {
  const { targetFingerprint, keys } = now;
  const prints = asKnown(node, now, context) ??
    inWordsOfBefore(node, now, context) ?? { ...sourcePrints(now), targetFingerprint };
  const work: Work = { ...prints, keys, ...leftOf(now) };
  const { kind, name, target = "" } = node;
  const reason = "both sides are as they should be";
  // There may be a million of them: what their rows hold is not held once more.
  const isKnown = isRecorded({ kind, action: "unchanged", name, target, work }, node.entry);
  if (!isKnown || node.pulledInBy !== undefined)
    return draft(node, "unchanged", context, {
      reason,
      // What a policy leaves out is told when the object is first met, also where nothing else is to be done about it.
      ...(isKnown
        ? {}
        : {
            work,
            diagnostics: [
              ...translationDiagnostics(node, now.translation, context.resolver),
              ...notClearedDiagnostics(node, now, context),
            ],
          }),
    });
  const all = context.asItShouldBe.get(kind.name) ?? new AllOfKind(kind.name, context.input);
  context.asItShouldBe.set(kind.name, all);
  return { node, change: asItShouldBe(node, all), waitsFor: nobody };
}

/**
 * Of the source, as the row in the mapping has them. What it cannot be asked for is not empty: the row says of it what was
 * brought, so that it is a change when the source names it again, and says something else of it or nothing.
 */
export function sourcePrints({
  withNotAskedFingerprint,
  ownFingerprint,
}: Comparison): Pick<Work, "sourceFingerprint" | "ownFingerprint"> {
  return {
    sourceFingerprint: withNotAskedFingerprint,
    ...(ownFingerprint === undefined ? {} : { ownFingerprint }),
  };
}

/**
 * Somebody may have changed at the target just what the source cannot be asked for, or has changed what the target has no place for
 * by now; or what the target cannot be asked for may be another thing at either side. Whether both say the same is not known then, or
 * not compared, and so the row stays as it is until it is: who has moved shows when it is compared again.
 */
function asKnown(
  node: Node,
  now: Comparison,
  { input }: Context,
): Pick<Work, "sourceFingerprint" | "ownFingerprint" | "targetFingerprint"> | undefined {
  const { row, targetFingerprint } = now;
  const { sourceFingerprint, ownFingerprint, targetFingerprint: before } = row ?? {};
  if (sourceFingerprint === undefined || before === undefined || before === targetFingerprint)
    return undefined;
  // What the source has cleared and nobody can clear there is told once, and the target's from then on.
  const isHidden = (): boolean => now.stuck.length === 0 && unaskedAtTarget(node, now, input) === before;
  const isOpen = now.unasked.length > 0 || Object.keys(now.theirs).length > 0 || isHidden();
  if (!isOpen) return undefined;
  return {
    sourceFingerprint,
    ...(ownFingerprint === undefined ? {} : { ownFingerprint }),
    targetFingerprint: before,
  };
}

/** What is worked out and not read is another word by now: the row stays in the words in which it was written. */
function inWordsOfBefore(
  { kind }: Node,
  now: Comparison,
  { input }: Context,
): Pick<Work, "sourceFingerprint" | "ownFingerprint" | "targetFingerprint"> | undefined {
  const { row, target, tree } = now;
  const { sourceFingerprint, ownFingerprint, targetFingerprint } = row ?? {};
  if (kind.asKnownBefore === undefined || sourceFingerprint === undefined || targetFingerprint === undefined)
    return undefined;
  if (targetFingerprint === now.targetFingerprint && sourceFingerprint === now.withNotAskedFingerprint)
    return undefined;
  const typeOf = typesIn(input.registry, input.target.snapshot);
  const isKnown =
    wasKnownAs(kind, target, targetFingerprint, typeOf) && wasKnownAs(kind, tree, sourceFingerprint, typeOf);
  if (!isKnown) return undefined;
  return {
    sourceFingerprint,
    ...(ownFingerprint === undefined ? {} : { ownFingerprint }),
    targetFingerprint,
  };
}

function leftOf({ left, kept }: Pick<Comparison, "left" | "kept">): Pick<Work, "left" | "kept"> {
  return {
    ...(left.length === 0 ? {} : { left }),
    ...(Object.keys(kept).length === 0 ? {} : { kept }),
  };
}

/** Values of the target's own that the source takes the place of: of what was never brought there, or was left. */
function takeOver(node: Node, now: Comparison, { resolver }: Context): readonly Diagnostic[] {
  const fields = firstMet(node, now, now.difference.fields).map((field) => resolver.names.field(field, node));
  const found = takenOver(fields);
  const coordinate = { kind: node.kind.name, urn: node.urn, name: node.name };
  return found === undefined ? [] : [{ ...found, coordinate }];
}

/** Once for all objects that have it, in the run in which the source's word comes to nothing. */
function notClearedDiagnostics(node: Node, { stuck }: Comparison, { input }: Context): readonly Diagnostic[] {
  const { name } = input.plan.target;
  const suggestion = `Clear it by hand at ${name}, where its metadata model lets somebody.`;
  return stuck.map(({ about, reason }) => {
    const summary = `the source has cleared ${about}, and it stays at ${name}: ${reason}`;
    return {
      ...note(node, "not-cleared", summary, suggestion, "warning"),
      cause: { key: `not-cleared ${about}`, summary, suggestion },
      brief: `"${node.name}"`,
    };
  });
}

export function compared(
  node: Node,
  now: Comparison,
  context: Context,
  action: "adopt" | "update",
  reason: string,
): Draft {
  if (now.translation.unresolved.length > 0) return blocked(node, now, context);
  const { resolver } = context;
  const { patch, undo, fields } = now.difference;
  const fixed = (node.kind.shape.fixed ?? []).filter((field) => Object.hasOwn(patch, field));
  if (fixed.length > 0) {
    return draft(node, "manual", context, {
      reason: `the service cannot change ${fixed.join(", ")} of an existing object`,
      fields,
      diagnostics: [
        note(
          node,
          "fixed-field",
          `${fixed.join(", ")} differs`,
          `To have it made anew: delete it at the target by hand (${node.target ?? ""}), then \`ferry mappings ${context.input.plan.name} remove ${shellWord(node.urn)}\` (or policy.missingTarget: recreate), and run again. To pair it with another one, remove the pair as well, and set that one.`,
        ),
      ],
    });
  }
  const impossible = node.kind.cannot?.(patch);
  if (impossible !== undefined) {
    const { code, reason: why, suggestion } = impossible;
    return draft(node, "manual", context, {
      reason: why,
      fields,
      diagnostics: [note(node, code, why, suggestion)],
    });
  }
  const misfit = unfit(node, now.tree, context);
  if (misfit !== undefined) return misfit;
  const writes = Object.keys(patch).length > 0;
  if (writes && !isOffered(node.kind, context.input))
    return absent(node, context, fields) ?? withoutUpdate(node, now, context, reason);
  const owners = lackingIn(patch, node, resolver, now.translation.pending);
  const lacking = lackingStop(owners);
  if (lacking !== undefined) return withoutPart(node, lacking, context, fields);
  const kept = {
    ...theirsUnasked(node, now, context.input, false),
    ...toBeAsked(now.theirs),
    ...now.kept,
  };
  return draft(node, action, context, {
    reason: action === "adopt" && !writes ? `${reason} and the same content` : reason,
    fields,
    diagnostics: [
      ...translationDiagnostics(node, now.translation, context.resolver),
      ...remarks(node, now.wanted, now.target, context.input),
      ...takeOver(node, now, context),
      ...notClearedDiagnostics(node, now, context),
    ],
    waitsFor: withLacking(now.translation.pending, owners),
    work: {
      ...sourcePrints(now),
      targetFingerprint: now.targetFingerprint,
      keys: now.keys,
      ...leftOf({ left: now.left, kept }),
      ...(writes ? { patch: owners.length === 0 ? patch : asToCome(patch, node, resolver), undo } : {}),
      ...(writes && now.unasked.length > 0 ? { unasked: now.unasked } : {}),
      ...(writes && now.hidden !== undefined ? { hidden: now.hidden } : {}),
    },
  });
}

/** No update endpoint is known for this kind (dashboards; page 04). */
function withoutUpdate(node: Node, now: Comparison, context: Context, reason: string): Draft {
  const by = "the service offers no way to change one";
  if (context.input.plan.policy.replace !== "allow" || !standsAlone(node.kind)) {
    return draft(node, "manual", context, {
      reason: `${reason}, and ${by}`,
      fields: now.difference.fields,
      diagnostics: [
        note(
          node,
          "no-update",
          by,
          `Change it by hand at the target (${node.target ?? ""}), or set policy.replace to allow to create a new one beside it.${node.kind.update === undefined ? "" : ` ${triedAgain(context.input)}`}`,
        ),
      ],
    });
  }
  const stays = node.kind.remove === undefined;
  // From here on, references to it wait for the new object.
  node.replaced = true;
  const rest = stays
    ? "the old one stays until a person removes it"
    : "what refers to it is changed to the new one, and the old one is deleted under --allow-delete";
  return draft(node, "replace", context, {
    reason: `${by}; policy.replace says to create a new one: ${rest}`,
    fields: now.difference.fields,
    diagnostics: [
      note(
        node,
        "old-one-stays",
        `the new object starts without the history of ${node.target ?? "the old one"}; ${rest}`,
        stays
          ? "Remove it in the web application."
          : "Give this run --allow-delete; afterwards it has to be deleted by hand.",
        "warning",
      ),
    ],
    waitsFor: now.translation.pending,
    work: { sourceFingerprint: now.sourceFingerprint, targetFingerprint: now.targetFingerprint },
  });
}
