import type { Action, Change, FieldChange, Work } from "../../model/change.ts";
import { fingerprint } from "../../model/canonical.ts";
import { keyText } from "../../model/key.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { difference } from "../../model/difference.ts";
import type { Comparison } from "./compare.ts";
import { compareWith, translateNode } from "./compare.ts";
import { remarks, translationDiagnostics } from "./diagnose.ts";
import type { DiffInput } from "./input.ts";
import type { Node } from "./node.ts";
import type { Resolver } from "./resolver.ts";
import { stopAtDeepTwin } from "./too-deep.ts";
import { onlyAdds, standsAlone } from "../facets/standing.ts";
import { createSteps } from "../facets/steps.ts";

/** A change with the source objects it waits for; ids and cycles are sorted out when all are known. */
export interface Draft {
  readonly node: Node;
  readonly change: Change;
  /** Source URNs. */
  readonly waitsFor: ReadonlySet<string>;
}

export interface Context {
  readonly input: DiffInput;
  readonly resolver: Resolver;
  /** Few enough objects for a person to read what each new one will hold. */
  readonly detailed: boolean;
  /** Candidates that were accepted as twins. */
  readonly adopted: ReadonlyMap<string, Comparison>;
}

/** The change of one object, from where it stands and what both sides hold (DESIGN, section 6: three-way). */
export function decide(node: Node, context: Context): Draft {
  const { input, resolver } = context;
  switch (node.standing) {
    case "stopped":
      return stopped(node, context);
    case "missing":
      if (node.entry?.unfinished !== undefined && isPartOfCreate(node, node.entry.unfinished))
        return unfinished(node, node.entry.unfinished, context);
      if (input.plan.policy.missingTarget === "recreate" && standsAlone(node.kind)) {
        return created(
          node,
          context,
          "its twin was removed at the target; policy.missingTarget says to create it again",
        );
      }
      return draft(node, "manual", context, {
        reason: "its twin was removed at the target",
        diagnostics: [
          note(
            node,
            "missing-at-target",
            `the target object ${node.target ?? ""} is gone`,
            `Set policy.missingTarget to recreate, or drop the pair: ferry mappings ${input.plan.name} remove <source urn>.`,
          ),
        ],
      });
    case "new":
      return created(node, context, "nothing at the target stands for it");
    case "candidate": {
      const comparison =
        context.adopted.get(keyText(node.kind.name, node.urn)) ??
        compareWith(node, node.target ?? "", input, resolver);
      return compared(node, comparison, context, "adopt", "the target has one with the same natural key");
    }
    case "mapped":
      if (stopAtDeepTwin(node, input)) return stopped(node, context);
      return threeWay(node, compareWith(node, node.target ?? "", input, resolver), context);
  }
}

function threeWay(node: Node, now: Comparison, context: Context): Draft {
  const { policy } = context.input.plan;
  const then = node.entry;
  if (now.translation.unresolved.length > 0) return blocked(node, now, context);
  if (Object.keys(now.difference.patch).length === 0) return unchanged(node, now, context);
  // An overlay or link that was never applied, or a pair that a person named: the source says how it should be.
  if (then?.sourceFingerprint === undefined || then.targetFingerprint === undefined) {
    return compared(node, now, context, "update", "first contact: the source says how it should be");
  }
  const sourceMoved = then.sourceFingerprint !== now.sourceFingerprint;
  const targetMoved = then.targetFingerprint !== now.targetFingerprint;
  if (!sourceMoved && !targetMoved) {
    // Nobody changed anything: what is left to do is what the policy did not ask for the last time.
    return policy.targetOnly === "remove" && !onlyAdds(node.kind)
      ? compared(node, now, context, "update", "policy.targetOnly says to remove what only the target has")
      : unchanged(node, now, context);
  }
  if (!targetMoved) return compared(node, now, context, "update", "it changed at the source");
  if (onlyAdds(node.kind))
    return compared(node, now, context, "update", "the target lacks some of its relations");
  if (sourceMoved) {
    return policy.conflict === "source-wins"
      ? compared(
          node,
          now,
          context,
          "update",
          "it changed on both sides; policy.conflict says that the source wins",
        )
      : reported(node, now, context, "conflict", "it changed on both sides since the last apply");
  }
  return policy.drift === "overwrite"
    ? compared(node, now, context, "update", "it was changed at the target; policy.drift says to overwrite")
    : reported(node, now, context, "drift", "it was changed at the target since the last apply");
}

function reported(
  node: Node,
  now: Comparison,
  context: Context,
  action: "drift" | "conflict",
  reason: string,
): Draft {
  const suggestion =
    action === "drift"
      ? "Change the source, or set policy.drift to overwrite to bring the target back."
      : "Settle it by hand, or set policy.conflict to source-wins.";
  return draft(node, action, context, {
    reason,
    fields: now.difference.fields,
    diagnostics: [note(node, action, reason, suggestion)],
  });
}

function unchanged(node: Node, now: Comparison, context: Context): Draft {
  return draft(node, "unchanged", context, {
    reason: "both sides are as they should be",
    work: {
      sourceFingerprint: now.sourceFingerprint,
      targetFingerprint: now.targetFingerprint,
      keys: now.keys,
    },
  });
}

function compared(
  node: Node,
  now: Comparison,
  context: Context,
  action: "adopt" | "update",
  reason: string,
): Draft {
  if (now.translation.unresolved.length > 0) return blocked(node, now, context);
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
          "Delete the target object by hand and run again, or pair it with another one.",
        ),
      ],
    });
  }
  const writes = Object.keys(patch).length > 0;
  const offered =
    node.kind.update !== undefined && context.input.notOffered?.has(`${node.kind.name}/patch`) !== true;
  if (writes && !offered) return withoutUpdate(node, now, context, reason);
  return draft(node, action, context, {
    reason: action === "adopt" && !writes ? `${reason} and the same content` : reason,
    fields,
    diagnostics: [
      ...translationDiagnostics(node, now.translation, context.resolver),
      ...remarks(node, now.tree, now.target, context.input),
    ],
    waitsFor: now.translation.pending,
    work: {
      sourceFingerprint: now.sourceFingerprint,
      targetFingerprint: now.targetFingerprint,
      keys: now.keys,
      ...(writes ? { patch, undo } : {}),
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
          `Change it by hand at the target (${node.target ?? ""}), or set policy.replace to allow to create a new one beside it.`,
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

function created(node: Node, context: Context, reason: string): Draft {
  const { input, resolver } = context;
  const { translation, tree } = translateNode(node, input, resolver, {}, undefined);
  if (translation.unresolved.length > 0) return blocked(node, { translation }, context);
  return draft(node, "create", context, {
    reason,
    fields: context.detailed ? leaves(tree, node, context) : [],
    diagnostics: [
      ...translationDiagnostics(node, translation, resolver),
      ...remarks(node, tree, undefined, input),
    ],
    waitsFor: translation.pending,
    work: { sourceFingerprint: fingerprint(tree, node.kind.shape) },
  });
}

/**
 * A create of several steps leaves something that no list shows. An update leaves what was there before it: when that
 * is gone, it is gone like anything else.
 */
function isPartOfCreate({ kind }: Node, step: string): boolean {
  return createSteps(kind).some(({ name }) => name === step);
}

function unfinished(node: Node, step: string, context: Context): Draft {
  const { sourceFingerprint } = node.entry ?? {};
  return draft(node, "create", context, {
    reason: `an interrupted run created it at the target; its ${step} is still to be done`,
    work: { unfinished: step, ...(sourceFingerprint === undefined ? {} : { sourceFingerprint }) },
  });
}

function blocked(
  node: Node,
  now: Pick<Comparison, "translation"> & { readonly difference?: Comparison["difference"] },
  context: Context,
): Draft {
  const first = now.translation.unresolved[0];
  const more = now.translation.unresolved.length - 1;
  return draft(node, "blocked", context, {
    reason: `${first?.reason ?? "a reference has no target"}${more > 0 ? ` (and ${more} more)` : ""}`,
    fields: now.difference?.fields ?? [],
    diagnostics: translationDiagnostics(node, now.translation, context.resolver),
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

function draft(
  node: Node,
  action: Action,
  context: Context,
  parts: {
    readonly reason: string;
    readonly fields?: readonly FieldChange[];
    readonly diagnostics?: readonly Diagnostic[];
    readonly waitsFor?: ReadonlySet<string>;
    readonly work?: Work;
  },
): Draft {
  const { input } = context;
  const puller = node.pulledInBy;
  const target = node.target === undefined ? undefined : { urn: node.target, name: targetName(node, input) };
  const change: Change = {
    id: keyText(node.kind.name, node.urn),
    action,
    kind: node.kind.name,
    source: { urn: node.urn, name: node.name },
    ...(target === undefined ? {} : { target }),
    reason: parts.reason,
    fields:
      action === "unchanged"
        ? []
        : (parts.fields ?? []).map((field) => context.resolver.names.field(field, node)),
    diagnostics: parts.diagnostics ?? [],
    dependsOn: [],
    ...(puller === undefined ? {} : { pulledInBy: { kind: "", urn: puller, name: "" } }),
    ...(parts.work === undefined ? {} : { work: parts.work }),
  };
  return { node, change, waitsFor: parts.waitsFor ?? new Set() };
}

function targetName(node: Node, input: DiffInput): string {
  const { snapshot } = input.target;
  const urn = node.target ?? "";
  return snapshot.has(node.kind.name, urn)
    ? snapshot.name(node.kind.name, urn)
    : (node.entry?.name ?? node.name);
}

function note(
  node: Node,
  code: string,
  summary: string,
  suggestion?: string,
  severity: Diagnostic["severity"] = "error",
): Diagnostic {
  return {
    severity,
    code,
    coordinate: { kind: node.kind.name, urn: node.urn, name: node.name },
    summary,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** What a created object will hold, leaf by leaf, as far as a reviewer wants to read. */
function leaves(tree: JsonObject, node: Node, { resolver }: Context, most = 60): readonly FieldChange[] {
  const nameOf = resolver.names.label;
  const options = { shape: node.kind.shape, targetOnly: "keep", keys: {}, nameOf } as const;
  return difference(tree, {}, options).fields.slice(0, most);
}
