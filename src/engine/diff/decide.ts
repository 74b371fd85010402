import type { Diagnostic } from "../../model/diagnostic.ts";
import { digest, fingerprint, stableText } from "../../model/canonical.ts";
import type { FieldChange } from "../../model/change.ts";
import { difference } from "../../model/difference.ts";
import { only } from "../../model/fields.ts";
import type { JsonObject } from "../../model/json.ts";
import { strip } from "../../model/shape.ts";
import { compareWith, translateNode } from "./compare.ts";
import { compared } from "./compared.ts";
import { remarks, translationDiagnostics } from "./diagnose.ts";
import type { Context, Draft } from "./draft.ts";
import { blocked, draft, note, withoutPart } from "./draft.ts";
import { withFormerTwin } from "./former-there.ts";
import { lackingAmong, lackingIn, lackingStop, withLacking } from "./lacking.ts";
import type { DiffInput } from "./input.ts";
import { missingAdvice } from "./missing-advice.ts";
import type { Node } from "./node.ts";
import type { Resolver } from "./resolver.ts";
import { isHalfMade } from "./node.ts";
import { absent } from "./not-offered.ts";
import { threeWay } from "./three-way.ts";
import { unfit } from "./unfit.ts";
import { stopAtTwin } from "./too-deep.ts";
import { differenceOf } from "../facets/content.ts";
import { standsAlone } from "../facets/standing.ts";

/** The change of one object, from where it stands and what both sides hold (three-way). */
export function decide(node: Node, context: Context): Draft {
  const { input, resolver } = context;
  switch (node.standing) {
    case "stopped":
      return stopped(node, context);
    case "missing":
      if (node.entry?.unfinished !== undefined && isHalfMade(node))
        return unfinished(node, node.entry.unfinished, context);
      if (input.plan.policy.missingTarget === "recreate" && standsAlone(node.kind)) {
        return created(
          node,
          context,
          "its twin was removed at the target; policy.missingTarget says to create it again",
        );
      }
      return missing(node, context);
    case "awaited":
      return awaited(node, context);
    case "new":
      return created(node, context, "nothing at the target stands for it");
    case "candidate": {
      const comparison =
        context.adopted.get(node.key) ?? compareWith(node, node.target ?? "", input, resolver);
      return compared(node, comparison, context, "adopt", "the target has one with the same natural key");
    }
    case "mapped": {
      if (node.entry?.unfinished !== undefined && isHalfMade(node) && isOurDraft(node, input))
        return unfinished(node, node.entry.unfinished, context);
      if (stopAtTwin(node, input)) return stopped(node, context);
      const now = compareWith(node, node.target ?? "", input, resolver);
      return withFormerTwin(threeWay(node, now, context), now.row, context);
    }
  }
}

/** What shows only once it is published is not there before, though a list may show it as a draft. */
function isOurDraft({ kind, target = "" }: Node, { target: { snapshot } }: DiffInput): boolean {
  return (
    standsAlone(kind) &&
    kind.hiddenWhenNew !== undefined &&
    snapshot.has(kind.name, target) &&
    kind.hidden?.(snapshot.body(kind.name, target)) !== undefined
  );
}

function created(node: Node, context: Context, reason: string): Draft {
  const { input, resolver } = context;
  const isDetailed = context.isDetailed(node.key);
  const brief = isDetailed || isUnfit(node, context) ? undefined : referencesOf(node, resolver);
  const leads = brief === undefined ? [] : lackingAmong(brief.leadsTo, node, resolver);
  if (brief !== undefined && lackingStop(leads) === undefined)
    return draft(node, "create", context, {
      reason,
      diagnostics: remarksOf(node, context),
      waitsFor: withLacking(brief.pending, leads),
      inBrief: true,
      ...(brief.leadsTo.length === 0
        ? {}
        : { work: { leadsTo: digest(stableText(brief.leadsTo)).slice(0, 16) } }),
    });
  const { translation, tree } = translateNode(node, input, resolver, {}, undefined);
  if (translation.unresolved.length > 0) return blocked(node, { translation }, context);
  const misfit = unfit(node, tree, context);
  if (misfit !== undefined) return misfit;
  const owners = lackingIn(tree, node, resolver, translation.pending);
  const lacking = lackingStop(owners);
  if (lacking !== undefined) return withoutPart(node, lacking, context);
  return draft(node, "create", context, {
    reason,
    fields: isDetailed ? leaves(tree, node, context) : [],
    inBrief: !isDetailed,
    diagnostics: [
      ...translationDiagnostics(node, translation, resolver),
      ...remarks(node, tree, undefined, input),
    ],
    waitsFor: withLacking(translation.pending, owners),
    work: { sourceFingerprint: fingerprint(tree, node.kind.shape) },
  });
}

/** It lies over something that this run creates: all that the source says of it is brought there after that. */
function awaited(node: Node, context: Context): Draft {
  const { input, resolver } = context;
  const { kind } = node;
  const { translation, tree } = translateNode(node, input, resolver, {}, undefined);
  if (translation.unresolved.length > 0) return blocked(node, { translation }, context);
  const misfit = unfit(node, tree, context);
  if (misfit !== undefined) return misfit;
  const { keys } = node;
  const options = { shape: kind.shape, targetOnly: "keep", keys, nameOf: resolver.names.label } as const;
  const { patch, fields } = differenceOf(kind, tree, only(tree, kind.shape.fixed ?? []), options);
  const missing = absent(node, context, fields);
  if (missing !== undefined) return missing;
  const owners = lackingIn(tree, node, resolver, translation.pending);
  const lacking = lackingStop(owners);
  if (lacking !== undefined) return withoutPart(node, lacking, context);
  return draft(node, "update", context, {
    reason: "after this run has created or adopted what it lies over",
    fields,
    diagnostics: [
      ...translationDiagnostics(node, translation, resolver),
      ...remarks(node, tree, undefined, input),
    ],
    waitsFor: withLacking(translation.pending, owners),
    work: { sourceFingerprint: fingerprint(tree, kind.shape), patch },
  });
}

/**
 * What a new object waits for and where its references lead, when each of them has or will have a target: nobody reads what
 * so many will hold, and the snapshot that the diff is bound to says it. Undefined where only its body tells more.
 */
function referencesOf(
  { plain }: Node,
  resolver: Resolver,
): { readonly pending: ReadonlySet<string>; readonly leadsTo: readonly string[] } | undefined {
  if (plain === undefined) return undefined;
  const pending = new Set<string>();
  const leadsTo: string[] = [];
  for (const reference of plain) {
    const resolution = resolver.urn(reference);
    // What waits for what does not come is told with all that it says.
    if (resolution.state === "pending" && resolver.ownerWithout(reference) !== undefined) return undefined;
    if (resolution.state === "pending") pending.add(resolution.owner);
    else if (resolution.state !== "target") return undefined;
    leadsTo.push(resolution.state === "pending" ? resolution.owner : resolution.urn);
  }
  return { pending, leadsTo };
}

function remarksOf(node: Node, { input, resolver }: Context): readonly Diagnostic[] {
  const { kind, urn } = node;
  if (kind.remarks === undefined) return [];
  const body = strip(input.source.body(kind.name, urn), kind.shape);
  return remarks(
    node,
    kind.adapt?.(body, input.plan.policy, undefined, resolver.types) ?? body,
    undefined,
    input,
  );
}

/** The target has no place for something in it. */
function isUnfit({ kind, urn }: Node, { input, resolver }: Context): boolean {
  if (kind.misfits === undefined) return false;
  return kind.misfits(strip(input.source.body(kind.name, urn), kind.shape), resolver.typesThere).length > 0;
}

function missing(node: Node, context: Context): Draft {
  return draft(node, "manual", context, {
    reason: "its twin was removed at the target",
    diagnostics: [
      note(
        node,
        "missing-at-target",
        `the target object ${node.target ?? ""} is gone`,
        missingAdvice(node, context.input),
      ),
    ],
  });
}

function unfinished(node: Node, step: string, context: Context): Draft {
  const { sourceFingerprint } = node.entry ?? {};
  return draft(node, "create", context, {
    reason: `an interrupted run created it at the target; its ${step} is still to be done`,
    work: { unfinished: step, ...(sourceFingerprint === undefined ? {} : { sourceFingerprint }) },
  });
}

function stopped(node: Node, context: Context): Draft {
  const { stop } = node;
  const reason = stop?.reason ?? "it cannot be moved";
  const cause = stop?.cause === undefined ? undefined : context.resolver.cause(node.urn);
  const found = note(node, stop?.code ?? "blocked", reason, stop?.suggestion);
  return draft(node, stop?.action ?? "blocked", context, {
    reason,
    diagnostics: [cause === undefined ? found : { ...found, cause }],
  });
}

/** What a created object will hold, leaf by leaf, as far as a reviewer wants to read. */
function leaves(tree: JsonObject, node: Node, { resolver }: Context, most = 60): readonly FieldChange[] {
  const nameOf = resolver.names.label;
  const options = { shape: node.kind.shape, targetOnly: "keep", keys: {}, nameOf } as const;
  return difference(tree, {}, options).fields.slice(0, most);
}
