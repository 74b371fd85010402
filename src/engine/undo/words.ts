import type { Deed } from "./deeds.ts";
import type { MovedKind } from "../../kinds/kind.ts";
import type { Action, AppliedChange } from "../../model/change.ts";

export function describeDeed(deed: Deed, action: Action, reason: string): AppliedChange {
  return {
    id: `${deed.kind}:${deed.source}`,
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
