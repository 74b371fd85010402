import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";

/** A change that is not to be made after all: nothing is sent for it, and a person is told why. */
export function instead(
  change: Change,
  action: "blocked" | "manual",
  reason: string,
  why: Pick<Diagnostic, "code" | "suggestion" | "cause"> & { readonly summary?: string },
): Change {
  const { work: _work, ...rest } = change;
  const { kind, source } = change;
  const coordinate = { kind, urn: source?.urn ?? "", name: source?.name ?? "" };
  const told: Diagnostic = { severity: "error", coordinate, summary: reason, ...why };
  return { ...rest, action, reason, dependsOn: [], diagnostics: [...change.diagnostics, told] };
}
