import type { Deed } from "./deed.ts";
import type { MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { Action, AppliedChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { keyText } from "../../model/key.ts";
import type { Plan } from "../../model/plan.ts";
import { wordFor } from "../word-for.ts";

/** Of the change that takes it back: a source object may have stood for one object after the other. */
export function deedId({ kind, source, target, isFormer }: Deed): string {
  const id = keyText(kind, source);
  return isFormer === true ? `${id} (${target})` : id;
}

export function describeDeed(deed: Deed, action: Action, reason: string): AppliedChange {
  return {
    id: deedId(deed),
    action,
    kind: deed.kind,
    source: { urn: deed.source, name: deed.name },
    target: { urn: deed.target, name: deed.name },
    reason,
    fields: [],
    diagnostics: [],
    dependsOn: [],
  };
}

/** What was said of something that comes back does not come with it, and nothing tells what it was. */
export function withoutSaid(change: AppliedChange, said: readonly MovedKind[]): AppliedChange {
  if (said.length === 0) return change;
  const { kind, source } = change;
  const told: Diagnostic = {
    severity: "warning",
    code: "left-as-it-is",
    coordinate: { kind, urn: source?.urn ?? "", name: source?.name ?? "" },
    summary: `it comes back without its ${said.map(({ name }) => name).join(" and ")}, which went with it`,
    suggestion: "Look at it at the target, and put that right by hand.",
  };
  return { ...change, diagnostics: [...change.diagnostics, told] };
}

/** What no request deletes; that it is a pair still, not every mapping knows by now. */
export function removedByHand(
  { kind, source }: Deed,
  { plan, registry }: { readonly plan: Plan; readonly registry: Registry },
  isPaired: boolean,
): string {
  const pair = isPaired
    ? `, then drop its pair: ferry mappings ${plan.name} remove ${wordFor(registry, kind, source)}`
    : "";
  return `Remove it in the web application${pair}. To keep it, put right by hand what the next diff lists.`;
}

/** A deed that is not taken back, and what a person can do. */
export function leftAsItIs(
  deed: Deed,
  kind: MovedKind,
  reason: string,
  suggestion: string,
): { readonly deed: Deed; readonly kind: MovedKind; readonly change: AppliedChange } {
  const coordinate = { kind: deed.kind, urn: deed.source, name: deed.name };
  const code = "left-as-it-is";
  const change = describeDeed(deed, "manual", reason);
  return {
    deed,
    kind,
    change: {
      ...change,
      diagnostics: [{ severity: "warning", code, coordinate, summary: reason, suggestion }],
    },
  };
}
