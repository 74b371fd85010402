import type { Change, Work } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";

/** A change that is not to be made after all: nothing is sent for it, and a person is told why. */
export function instead(
  change: Change,
  action: "blocked" | "manual",
  reason: string,
  why: Pick<Diagnostic, "code" | "suggestion" | "cause"> & { readonly summary?: string },
): Change {
  const { work, ...rest } = change;
  const { kind, source } = change;
  const coordinate = { kind, urn: source?.urn ?? "", name: source?.name ?? "" };
  const told: Diagnostic = { severity: "error", coordinate, summary: reason, ...why };
  const stays = change.action === "adopt" ? { work: ledTo(work?.keys) } : {};
  const diagnostics = [...change.diagnostics, told];
  // What it holds stays: nobody is to read that it is taken out.
  const fields = change.action === "delete" ? [] : change.fields;
  return { ...rest, action, reason, fields, dependsOn: [], diagnostics, ...stays };
}

/**
 * What stays of an adoption that is not made after all: the twin that policy accepted is the twin still, and what refers
 * to the object is led there.
 */
export function ledTo(keys: Work["keys"]): Work {
  return { keys: keys ?? {} };
}
