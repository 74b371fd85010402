import type { Action, Change, FieldChange, Work } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Changes } from "../../model/packed/changes.ts";
import type { AllOfKind } from "./as-it-should-be.ts";
import type { Comparison } from "./compare.ts";
import { translationDiagnostics } from "./diagnose.ts";
import type { DiffInput } from "./input.ts";
import { ledTo } from "./instead.ts";
import { noPlaceOf } from "./no-place.ts";
import type { Node, Stop } from "./node.ts";
import type { Resolver } from "./resolver.ts";

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
  /** Whether it is told what a create will hold; asked once for each of them. */
  readonly isDetailed: (id: string) => boolean;
  readonly changes: Changes;
  /** By kind, what its objects share that are as they should be. */
  readonly asItShouldBe: Map<string, AllOfKind>;
  /** Candidates that were accepted as twins. */
  readonly adopted: ReadonlyMap<string, Comparison>;
}

/** One for all that have none: there may be hundreds of thousands. */
const nothing: readonly never[] = [];
export const nobody: ReadonlySet<string> = new Set();

export function draft(
  node: Node,
  action: Action,
  context: Context,
  parts: {
    readonly reason: string;
    readonly fields?: readonly FieldChange[];
    readonly diagnostics?: readonly Diagnostic[];
    readonly waitsFor?: ReadonlySet<string>;
    readonly inBrief?: boolean;
    readonly work?: Work;
  },
): Draft {
  const { input } = context;
  const puller = node.pulledInBy;
  const target = node.target === undefined ? undefined : { urn: node.target, name: targetName(node, input) };
  const isLedTo = node.standing === "candidate" && (action === "blocked" || action === "manual");
  const noPlace = noPlaceOf(node, action, context);
  const own = parts.work ?? (isLedTo ? ledTo(node.keys) : undefined);
  const work = noPlace === undefined ? own : { ...own, noPlace };
  const change = context.changes.keep({
    id: node.key,
    action,
    kind: node.kind.name,
    source: { urn: node.urn, name: node.name },
    ...(target === undefined ? {} : { target }),
    reason: parts.reason,
    fields:
      action === "unchanged" || parts.fields === undefined || parts.fields.length === 0
        ? nothing
        : parts.fields.map((field) => context.resolver.names.field(field, node)),
    diagnostics:
      parts.diagnostics === undefined || parts.diagnostics.length === 0 ? nothing : parts.diagnostics,
    dependsOn: nothing,
    ...(parts.inBrief === true ? { inBrief: true } : {}),
    ...(puller === undefined ? {} : { pulledInBy: { kind: "", urn: puller, name: "" } }),
    ...(work === undefined ? {} : { work }),
  });
  return {
    node,
    change,
    waitsFor: parts.waitsFor === undefined || parts.waitsFor.size === 0 ? nobody : parts.waitsFor,
  };
}

export function blocked(
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

/** It leads to a part that the target has not, and nobody brings that back in this run. */
export function withoutPart(
  node: Node,
  { reason, suggestion }: Pick<Stop, "reason" | "suggestion">,
  context: Context,
  fields: readonly FieldChange[] = [],
): Draft {
  const diagnostics = [note(node, "blocked", reason, suggestion)];
  return draft(node, "blocked", context, { reason, fields, diagnostics });
}

export function note(
  node: Node,
  code: Diagnostic["code"],
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

function targetName(node: Node, input: DiffInput): string {
  const { snapshot } = input.target;
  const urn = node.target ?? "";
  return snapshot.has(node.kind.name, urn)
    ? snapshot.name(node.kind.name, urn)
    : (node.entry?.name ?? node.name);
}
